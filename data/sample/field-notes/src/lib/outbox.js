import { openDB } from 'idb'

const DATABASE = 'field-notes'
const STORE = 'outbox'

/**
 * Open the store that keeps observations until a network is found.
 *
 * @returns {Promise<import('idb').IDBPDatabase>} the open database
 */
export async function openOutbox () {
  return openDB(DATABASE, 3, {
    upgrade (db, oldVersion) {
      if (oldVersion < 1) db.createObjectStore(STORE, { keyPath: 'id' })
      if (oldVersion < 3) db.transaction.objectStore(STORE).createIndex('byDate', 'seenAt')
    }
  })
}

/**
 * Put an observation in the outbox; one with the same id is replaced.
 *
 * @param {object} observation what the observer recorded
 * @param {string} observation.id an id made on this phone
 * @returns {Promise<void>}
 */
export async function queueObservation (observation) {
  const db = await openOutbox()
  await db.put(STORE, { ...observation, queuedAt: Date.now(), attempts: 0 })
}

/**
 * The observations that wait, oldest sighting first.
 *
 * @param {number} limit how many at most
 * @returns {Promise<object[]>}
 */
export async function listPendingObservations (limit = 25) {
  const db = await openOutbox()
  const waiting = await db.getAllFromIndex(STORE, 'byDate')
  return waiting.slice(0, limit)
}

/**
 * Send what waits, one observation after the other, and stop at the first failure.
 *
 * A conflict is not a failure: the observation stays and is marked, so that a person decides.
 *
 * @param {(observation: object) => Promise<'stored' | 'conflict'>} send talks to the server
 * @returns {Promise<{ sent: number, conflicts: number }>}
 */
export async function flushOutbox (send) {
  const db = await openOutbox()
  const result = { sent: 0, conflicts: 0 }
  for (const observation of await listPendingObservations(Infinity)) {
    const answer = await send(observation)
    if (answer === 'stored') {
      await db.delete(STORE, observation.id)
      result.sent += 1
    } else {
      await db.put(STORE, { ...observation, conflict: true })
      result.conflicts += 1
    }
  }
  return result
}
