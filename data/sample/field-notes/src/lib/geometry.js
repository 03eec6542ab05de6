const EARTH_RADIUS = 6371008.8

const toRadians = degrees => degrees * Math.PI / 180

/**
 * Distance between two positions on a sphere, by the haversine formula.
 *
 * @param {{ latitude: number, longitude: number }} from first position, in degrees
 * @param {{ latitude: number, longitude: number }} to second position, in degrees
 * @returns {number} metres
 */
export function distanceBetween (from, to) {
  const latitude = toRadians(to.latitude - from.latitude)
  const longitude = toRadians(to.longitude - from.longitude)
  const h = Math.sin(latitude / 2) ** 2 +
    Math.cos(toRadians(from.latitude)) * Math.cos(toRadians(to.latitude)) * Math.sin(longitude / 2) ** 2
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(h))
}

/**
 * Whether a position lies inside a polygon's outer ring (even-odd rule).
 *
 * @param {{ latitude: number, longitude: number }} position in degrees
 * @param {number[][]} ring closed list of [longitude, latitude]
 * @returns {boolean}
 */
export function insideSurveyArea (position, ring) {
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i]
    const [xj, yj] = ring[j]
    const crosses = (yi > position.latitude) !== (yj > position.latitude)
    if (crosses && position.longitude < (xj - xi) * (position.latitude - yi) / (yj - yi) + xi) inside = !inside
  }
  return inside
}

/**
 * Round a position so that a rare species cannot be found by it.
 *
 * @param {{ latitude: number, longitude: number }} position in degrees
 * @param {number} cell edge of the grid in degrees
 * @returns {{ latitude: number, longitude: number }} centre of the grid cell
 */
export function blurPosition (position, cell = 0.1) {
  const centre = value => (Math.floor(value / cell) + 0.5) * cell
  return { latitude: centre(position.latitude), longitude: centre(position.longitude) }
}
