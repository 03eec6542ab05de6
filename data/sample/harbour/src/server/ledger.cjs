'use strict'

// The bookkeeper's own computer still runs a release of Node that cannot import ES modules: this stays CommonJS.

const fs = require('node:fs')
const path = require('node:path')
const { createHash } = require('node:crypto')

const EMPTY = '0'.repeat(64)

class LedgerError extends Error {
  constructor (message, entry) {
    super(message)
    this.name = 'LedgerError'
    this.entry = entry
  }
}

/**
 * Open a ledger file and take its lock; the lines are a hash chain.
 *
 * @param {string} file a `.jsonl` file, made where there is none
 * @returns {{ file: string, lock: string, last: string, closed: string | null, entries: object[] }}
 * @throws {LedgerError} another process has the lock, or a line was altered
 */
function openLedger (file) {
  const lock = `${file}.lock`
  try {
    fs.writeFileSync(lock, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if (error.code === 'EEXIST') throw new LedgerError(`locked by process ${fs.readFileSync(lock, 'utf8')}`)
    throw error
  }
  const ledger = { file: path.resolve(file), lock, last: EMPTY, closed: null, entries: [] }
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue
    const { hash, ...entry } = JSON.parse(line)
    if (hash !== hashOf(ledger.last, entry)) throw new LedgerError(`line ${index + 1} was altered`, entry)
    ledger.last = hash
    if (entry.kind === 'close') ledger.closed = entry.month
    else ledger.entries.push(entry)
  }
  return ledger
}

/**
 * Append a balanced transaction.
 *
 * @param {object} ledger from openLedger
 * @param {{ date: string, text: string, lines: { account: string, cents: number }[] }} entry amounts in cents,
 *   debits positive, credits negative
 * @returns {string} hash of the line
 */
function postEntry (ledger, entry) {
  const total = entry.lines.reduce((sum, line) => sum + line.cents, 0)
  if (total !== 0) throw new LedgerError(`out of balance by ${total} cents`, entry)
  if (entry.lines.some(line => !Number.isSafeInteger(line.cents))) throw new LedgerError('cents are integers', entry)
  if (ledger.closed !== null && entry.date.slice(0, 7) <= ledger.closed) {
    throw new LedgerError(`${ledger.closed} is closed`, entry)
  }
  ledger.entries.push(entry)
  return append(ledger, { kind: 'entry', ...entry })
}

/**
 * Lock a month and all before it against further transactions.
 *
 * @param {object} ledger from openLedger
 * @param {string} month `YYYY-MM`
 * @returns {Map<string, number>} cents of each account at its end
 */
function closeMonth (ledger, month) {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new LedgerError(`${month} is no month`)
  const balances = new Map()
  for (const { date, lines } of ledger.entries) {
    if (date.slice(0, 7) > month) continue
    for (const { account, cents } of lines) balances.set(account, (balances.get(account) ?? 0) + cents)
  }
  append(ledger, { kind: 'close', month })
  ledger.closed = month
  return balances
}

const hashOf = (last, entry) => createHash('sha256').update(last).update(JSON.stringify(entry)).digest('hex')

function append (ledger, entry) {
  const hash = hashOf(ledger.last, entry)
  fs.appendFileSync(ledger.file, `${JSON.stringify({ ...entry, hash })}\n`)
  ledger.last = hash
  return hash
}

module.exports = {
  LedgerError,
  openLedger,
  postEntry,
  closeMonth,
  releaseLedger: ({ lock }) => fs.rmSync(lock, { force: true }),
  accounts: {
    dues: '8400',
    water: '8410',
    power: '8420',
    debtors: '1200',
    bank: '1800'
  }
}
