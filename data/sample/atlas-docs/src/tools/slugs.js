/**
 * Turn a title into the address of a page: lower case, words joined by hyphens, accents taken off.
 *
 * @param {string} title the page's title
 * @returns {string}
 */
export function createSlug (title) {
  return title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}

/**
 * Make slugs unique by a number at the end, in the order given.
 *
 * @param {string[]} slugs wanted addresses
 * @returns {string[]}
 */
export function resolveSlugConflicts (slugs) {
  const seen = new Map()
  return slugs.map(slug => {
    const count = (seen.get(slug) ?? 0) + 1
    seen.set(slug, count)
    return count === 1 ? slug : `${slug}-${count}`
  })
}

/**
 * The chain of addresses that a redirect follows, the last one being the page.
 *
 * @param {Record<string, string>} redirects old address → new address
 * @param {string} start where a reader comes from
 * @returns {string[]}
 * @throws {RangeError} the redirects go round in a circle
 */
export function followRedirects (redirects, start) {
  const chain = [start]
  while (redirects[chain.at(-1)] !== undefined) {
    const next = redirects[chain.at(-1)]
    if (chain.includes(next)) throw new RangeError(`redirects go round in a circle at ${next}`)
    chain.push(next)
  }
  return chain
}
