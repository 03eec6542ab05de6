import { keelClearance } from '../lib/tides.js'

export class BerthConflictError extends Error {
  constructor (berth, other) {
    super(`berth ${berth} is taken by ${other}`)
    this.name = 'BerthConflictError'
  }
}

/**
 * Bookings of a berth that overlap a stay.
 *
 * @param {object[]} bookings all bookings of the berth
 * @param {{ arrival: string, departure: string }} stay ISO 8601 times
 * @returns {object[]}
 */
export function findOverlappingBookings (bookings, stay) {
  return bookings.filter(each => each.arrival < stay.departure && stay.arrival < each.departure)
}

/**
 * Grant a berth, or say why not.
 *
 * @param {object} request what the ship's agent asked for
 * @param {{ code: string, sillDepth: number, bookings: object[] }} berth the berth
 * @param {number} lowestLevel lowest tide of the stay, metres
 * @returns {{ state: 'granted' | 'refused', clearance: number }}
 * @throws {BerthConflictError} another ship is there
 */
export function decideBooking (request, berth, lowestLevel) {
  const [other] = findOverlappingBookings(berth.bookings, request)
  if (other) throw new BerthConflictError(berth.code, other.vessel)
  const clearance = keelClearance(berth.sillDepth, lowestLevel, request.draught)
  return { state: clearance >= 1 ? 'granted' : 'refused', clearance }
}

/**
 * Register the routes of port calls.
 *
 * @param {import('fastify').FastifyInstance} server the web server
 * @param {object} store reads and writes bookings
 */
export async function registerBookingRoutes (server, store) {
  server.get('/bookings', request => store.list(request.query))
  server.post('/bookings', async (request, reply) => {
    const berth = await store.berth(request.body.berth)
    const decision = decideBooking(request.body, berth, await store.lowestLevel(request.body))
    reply.code(201)
    return store.insert({ ...request.body, ...decision })
  })
}
