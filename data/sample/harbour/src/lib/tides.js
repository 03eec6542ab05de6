const HALF_DAY = 12 * 60 + 25

/**
 * Water level at a moment, from the two extremes around it, by the rule of twelfths.
 *
 * @param {{ time: number, level: number }} before last high or low water, minutes and metres
 * @param {{ time: number, level: number }} after next high or low water
 * @param {number} time minutes
 * @returns {number} metres above chart datum
 */
export function waterLevelAt (before, after, time) {
  const phase = (time - before.time) / (after.time - before.time)
  const smooth = (1 - Math.cos(Math.PI * phase)) / 2
  return before.level + (after.level - before.level) * smooth
}

/**
 * Water under the keel of a moored ship at the lowest level of its stay.
 *
 * @param {number} sillDepth depth of the berth below chart datum, metres
 * @param {number} lowestLevel lowest water level of the stay, metres
 * @param {number} draught the ship's, metres
 * @returns {number} metres, negative where the ship would touch the ground
 */
export function keelClearance (sillDepth, lowestLevel, draught) {
  return sillDepth + lowestLevel - draught
}

/**
 * The next low water after a known one.
 *
 * @param {number} known minutes of a low water
 * @param {number} now minutes
 * @returns {number} minutes
 */
export const nextLowWater = (known, now) => known + Math.ceil((now - known) / HALF_DAY) * HALF_DAY
