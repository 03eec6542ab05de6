/** Share that a clean engine certificate takes off. */
export const CLEAN_ENGINE_REDUCTION = 0.1

/**
 * Port dues of one call: a price for each gross tonne and started day.
 *
 * @param {{ grossTonnage: number, cleanEngine: boolean }} vessel the ship
 * @param {number} hours how long it stays
 * @param {number} price euros for a gross tonne and day
 * @returns {number} euros, rounded to cents
 */
export function calculatePortDues (vessel, hours, price) {
  const days = Math.max(1, Math.ceil(hours / 24))
  const full = vessel.grossTonnage * days * price
  const reduced = vessel.cleanEngine ? full * (1 - CLEAN_ENGINE_REDUCTION) : full
  return Math.round(reduced * 100) / 100
}

/**
 * Days since an invoice should have been paid.
 *
 * @param {{ issuedOn: string, termDays: number }} invoice dates as YYYY-MM-DD
 * @param {Date} today day to count to
 * @returns {number} 0 where it is not overdue
 */
export function overdueDays (invoice, today) {
  const due = new Date(`${invoice.issuedOn}T00:00:00Z`)
  due.setUTCDate(due.getUTCDate() + invoice.termDays)
  return Math.max(0, Math.floor((today - due) / 86400000))
}
