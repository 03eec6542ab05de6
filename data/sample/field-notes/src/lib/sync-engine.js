import { flushOutbox, listPendingObservations } from './outbox.js'

const LOCK = 'field-notes-sync'
const PIECE = 256 * 1024

/** What a run may end with; listeners get one of these as `outcome`. */
export const SYNC_OUTCOMES = Object.freeze({
  done: 'done',
  busy: 'busy',
  offline: 'offline',
  lowBattery: 'low-battery',
  failed: 'failed'
})

/**
 * Milliseconds to wait before the next attempt: exponential backoff with jitter, five minutes at most.
 *
 * @param {number} failures attempts in a row that failed, 0 after a success
 * @param {() => number} random a number from 0 to 1
 * @returns {number}
 */
export function chooseDelay (failures, random = Math.random) {
  const base = Math.min(300_000, 1000 * 2 ** Math.min(failures, 12))
  return Math.round(base * (0.5 + random() / 2))
}

/**
 * The line of the log for an event of the engine, in English, with the number of observations in it.
 *
 * @param {{ type: string, outcome?: string, sent?: number, left?: number, error?: Error }} event
 * @returns {string}
 */
export function describeProgress (event) {
  switch (event.type) {
    case 'start':
      return `sync starts, ${event.left} observations wait`
    case 'piece':
      return `${event.photo}: piece ${event.index + 1} of ${event.pieces}`
    case 'pause': {
      const seconds = Math.round(event.delay / 1000)
      return seconds < 60 ? `next attempt in ${seconds} s` : `next attempt in ${Math.round(seconds / 60)} min`
    }
    case 'end':
      if (event.outcome === SYNC_OUTCOMES.done) {
        return event.left ? `${event.sent} sent, ${event.left} still wait` : `${event.sent} sent, nothing waits`
      }
      return `sync ended: ${event.outcome}${event.error ? ` (${event.error.message})` : ''}`
    default:
      return `unknown event ${JSON.stringify(event)}`
  }
}

/**
 * Yield the pieces of a blob in order, the last one shorter.
 *
 * @param {Blob} blob the scaled photograph
 * @param {number} size bytes of a piece
 * @yields {{ index: number, pieces: number, bytes: Blob }}
 */
export function * splitPhotograph (blob, size = PIECE) {
  const pieces = Math.max(1, Math.ceil(blob.size / size))
  for (let index = 0; index < pieces; index += 1) {
    yield { index, pieces, bytes: blob.slice(index * size, (index + 1) * size) }
  }
}

/**
 * The events of an engine as they come, until the signal is aborted.
 *
 * @param {SyncEngine} engine
 * @param {AbortSignal} signal
 */
export async function * watchEngine (engine, signal) {
  const queue = []
  let wake = () => {}
  const stop = engine.on(event => { queue.push(event); wake() })
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!signal.aborted) {
      while (queue.length) yield queue.shift()
      await new Promise(resolve => { wake = resolve })
    }
  } finally {
    stop()
  }
}

/**
 * Runs the outbox against a server, one tab at a time.
 *
 * @example
 * const engine = new SyncEngine({ send, probe })
 * engine.on(event => console.log(describeProgress(event)))
 * await engine.runOnce('pulled down')
 */
export class SyncEngine {
  #listeners = new Set()
  #failures = 0
  #timer = null

  /**
   * @param {object} options
   * @param {(observation: object) => Promise<'stored' | 'conflict'>} options.send talks to the server
   * @param {() => Promise<{ online: boolean, battery: number, charging: boolean }>} options.probe state of the phone
   * @param {number} [options.lowBattery] share below which nothing is sent
   */
  constructor ({ send, probe, lowBattery = 0.15 }) {
    this.send = send
    this.probe = probe
    this.lowBattery = lowBattery
  }

  /** Whether a timer is set. */
  get scheduled () {
    return this.#timer !== null
  }

  /**
   * Call a listener for each event.
   *
   * @param {(event: object) => void} listener
   * @returns {() => void} stops it
   */
  on (listener) {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * One run under the lock of the origin; returns at once where another tab holds it.
   *
   * @param {string} reason goes into the log of the server
   * @returns {Promise<string>} one of SYNC_OUTCOMES
   */
  async runOnce (reason) {
    return navigator.locks.request(LOCK, { ifAvailable: true }, async lock => {
      if (lock === null) return this.#end(SYNC_OUTCOMES.busy)
      const { online, battery, charging } = await this.probe()
      if (!online) return this.#end(SYNC_OUTCOMES.offline)
      if (battery < this.lowBattery && !charging) return this.#end(SYNC_OUTCOMES.lowBattery)
      this.#emit({ type: 'start', reason, left: await this.#left() })
      try {
        const { sent } = await flushOutbox(this.send)
        this.#failures = 0
        return this.#end(SYNC_OUTCOMES.done, { sent, left: await this.#left() })
      } catch (error) {
        this.#failures += 1
        return this.#end(SYNC_OUTCOMES.failed, { error })
      }
    })
  }

  /** Run, wait, and run again, until `stop` is called. */
  async start () {
    const outcome = await this.runOnce('timer')
    const delay = outcome === SYNC_OUTCOMES.failed ? chooseDelay(this.#failures) : 30_000
    this.#emit({ type: 'pause', delay })
    this.#timer = setTimeout(() => this.start(), delay)
  }

  stop () {
    clearTimeout(this.#timer)
    this.#timer = null
  }

  async #left () {
    return (await listPendingObservations(Infinity)).filter(each => !each.conflict).length
  }

  #end (outcome, details = {}) {
    this.#emit({ type: 'end', outcome, ...details })
    return outcome
  }

  #emit (event) {
    for (const listener of this.#listeners) listener(event)
  }
}
