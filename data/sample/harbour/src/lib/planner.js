import { keelClearance } from './tides.js'

const SPARE = 5
const MOST_STEPS_BACK = 200

/** Rules that a placement has to meet, by the name that is shown when one is broken. */
export const PLACEMENT_RULES = {
  length: ({ request, berth }) => berth.length >= request.length + 2 * SPARE,
  depth: ({ request, berth, lowest }) => keelClearance(berth.sillDepth, lowest, request.draught) >= 1,
  power: ({ request, berth }) => !request.needs.includes('shorePower') || berth.services.includes('shorePower'),
  crane: ({ request, berth }) => !request.needs.includes('crane') || berth.services.includes('crane'),
  closed: ({ request, berth }) => !berth.closures.some(each => overlaps(each, request)),

  /**
   * Names of the rules that a placement breaks, in the order in which they are written here.
   */
  broken (placement) {
    return Object.keys(this).filter(name => name !== 'broken' && !this[name](placement))
  }
}

function overlaps (one, other) {
  return one.arrival < other.departure && other.arrival < one.departure
}

/**
 * Berths that keep every rule for a request, the shortest first.
 *
 * @param {object} request a request with `length`, `draught`, `needs`, `arrival` and `departure`
 * @param {object[]} berths all berths of the port
 * @param {number} lowest lowest level of the stay, metres above chart datum
 * @returns {object[]}
 */
export function possibleBerths (request, berths, lowest) {
  return berths
    .filter(berth => PLACEMENT_RULES.broken({ request, berth, lowest }).length === 0)
    .sort((one, other) => one.length - other.length || one.code.localeCompare(other.code))
}

/**
 * Text of the letter to an agent whose request cannot be granted.
 *
 * @param {object} request the request
 * @param {object[]} berths all berths
 * @param {number} lowest lowest level of the stay
 * @returns {string} two paragraphs of English
 */
export function explainRefusal (request, berths, lowest) {
  const tried = berths
    .map(berth => ({ berth, broken: PLACEMENT_RULES.broken({ request, berth, lowest }) }))
    .sort((one, other) => one.broken.length - other.broken.length)
  const [best] = tried
  const reasons = best.broken.map(rule => {
    switch (rule) {
      case 'length':
        return `she is ${request.length} m long and the berth takes ${best.berth.length - 2 * SPARE} m`
      case 'depth': {
        const clearance = keelClearance(best.berth.sillDepth, lowest, request.draught)
        return `only ${clearance.toFixed(1)} m would be left under her keel`
      }
      case 'closed':
        return `it is closed until ${best.berth.closures.at(-1).departure.slice(0, 10)}`
      case 'power':
      case 'crane':
        return `it has no ${rule === 'power' ? 'shore power' : 'crane'}`
      default:
        throw new TypeError(`there is no sentence for the rule ${rule}`)
    }
  })
  return `To the agent of ${request.vessel}:

We cannot give her a berth from ${request.arrival} to ${request.departure}. The nearest was ${best.berth.code}, \
but ${reasons.join(', and ')}.

Please name another tide; the control room answers on ${`channel ${request.international ? 16 : 12}`}.`
}

/**
 * Place the requests of a week by depth-first search with backtracking.
 *
 * @param {object[]} requests any order; sorted by class, then by the time of the request
 * @param {object[]} berths all berths
 * @param {AsyncIterable<{ from: string, until: string, lowest: number }>} tides tides of the week
 * @returns {Promise<{ placed: Map<object, object>, waiting: object[], stepsBack: number }>} the plan with the
 *   fewest requests that wait
 */
export async function planWeek (requests, berths, tides) {
  const table = []
  for await (const tide of tides) table.push(tide)
  const lowestDuring = stay => Math.min(
    ...table.filter(tide => tide.from < stay.departure && stay.arrival < tide.until).map(tide => tide.lowest)
  )

  const order = { contract: 0, passenger: 1, cargo: 2 }
  const queue = [...requests].sort(
    (one, other) => order[one.class] - order[other.class] || one.requestedAt.localeCompare(other.requestedAt)
  )
  const choices = queue.map(request => possibleBerths(request, berths, lowestDuring(request)))
  const tried = queue.map(() => -1)
  let best = { placed: new Map(), waiting: queue, stepsBack: 0 }
  let stepsBack = 0
  let place = 0

  while (place >= 0 && place < queue.length && stepsBack < MOST_STEPS_BACK) {
    const request = queue[place]
    const others = queue.slice(0, place).map((each, index) => ({ stay: each, berth: choices[index][tried[index]] }))
    let next = tried[place] + 1
    while (
      next < choices[place].length &&
      others.some(each => each.berth === choices[place][next] && overlaps(each.stay, request))
    ) next += 1

    if (next < choices[place].length) {
      tried[place] = next
      place += 1
      if (place > best.placed.size) {
        const placed = new Map(queue.slice(0, place).map((each, index) => [each, choices[index][tried[index]]]))
        best = { placed, waiting: queue.slice(place), stepsBack }
      }
    } else {
      tried[place] = -1
      place -= 1
      stepsBack += 1
    }
  }
  return { ...best, stepsBack }
}

/**
 * The tides of an ISO week, a page of the table at a time.
 *
 * @param {string} week like `2024-W31`
 * @param {typeof fetch} get replaced in tests
 */
export async function * loadTides (week, get = fetch) {
  let page = `/tides?week=${encodeURIComponent(week)}`
  while (page) {
    const response = await get(page)
    if (!response.ok) throw new Error(`tides of ${week}: the server says ${response.status}`)
    const { tides, next } = await response.json()
    yield * tides
    page = next
  }
}
