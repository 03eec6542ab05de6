import { extractInternalLinks, loadPages } from './check-links.js'
import { dirname, join, normalize } from 'node:path'

const WORD = /[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu
const FENCE = /^(?<mark>`{3,}|~{3,})[^\n]*\n[\s\S]*?^\k<mark>[`~]*[ \t]*$/gm
const HEADING = /^(#{1,4})\s+(.+?)\s*#*$/gm
const SUFFIXES = [['ies', 'y'], ['sses', 'ss'], ['ing', ''], ['ed', ''], ['s', '']]

/** Weights of BM25 for the fields of a page, and its two constants. */
export const SEARCH_WEIGHTS = { title: 4, heading: 2, body: 1, k1: 1.2, b: 0.6 }

/**
 * A crude English stemmer: the longest suffix of a short list, unless fewer than three letters remain.
 *
 * @param {string} word in lower case
 * @returns {string}
 */
export function stemWord (word) {
  for (const [suffix, replacement] of SUFFIXES) {
    if (word.endsWith(suffix) && word.length - suffix.length >= 3 && !word.endsWith('ss')) {
      return word.slice(0, -suffix.length) + replacement
    }
  }
  return word
}

/**
 * An excerpt with `<mark>` around matches; special characters of HTML are escaped.
 *
 * @param {string} text plain text of a section
 * @param {string[]} terms stems
 * @param {number} width characters on either side of the first match
 * @returns {string} HTML
 */
export function highlightTerms (text, terms, width = 80) {
  const escape = raw => raw.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
  const matches = [...text.matchAll(WORD)].filter(match => terms.includes(stemWord(match[0].toLowerCase())))
  if (matches.length === 0) return escape(text.slice(0, 2 * width))
  const start = Math.max(0, matches[0].index - width)
  const end = Math.min(text.length, matches[0].index + width)
  let html = start > 0 ? '…' : ''
  let place = start
  for (const match of matches) {
    const stop = match.index + match[0].length
    if (match.index < place || stop > end) continue
    html += `${escape(text.slice(place, match.index))}<mark>${escape(match[0])}</mark>`
    place = stop
  }
  return html + escape(text.slice(place, end)) + (end < text.length ? '…' : '')
}

/**
 * Breadth-first traversal of the link graph, yielding each page when it is loaded.
 *
 * @param {string} start path of the first page
 * @param {typeof loadPages} load replaced in tests
 * @yields {{ path: string, markdown: string, depth: number }}
 */
export async function * crawlPages (start, load = loadPages) {
  const seen = new Set([normalize(start)])
  let level = [...seen]
  for (let depth = 0; level.length > 0; depth += 1) {
    const pages = await load(level)
    level = []
    for (const [path, markdown] of pages) {
      yield { path, markdown, depth }
      for (const target of extractInternalLinks(markdown)) {
        const next = normalize(join(dirname(path), target.split('#')[0] || '.'))
        if (!next.endsWith('.md') || seen.has(next)) continue
        seen.add(next)
        level.push(next)
      }
    }
  }
}

/** An inverted index over the fields of pages, ranked by BM25F (Robertson, Zaragoza and Taylor, 2004). */
export class SearchIndex {
  #postings = new Map()
  #pages = []

  static from (exported) {
    const index = new SearchIndex()
    index.#pages = exported.pages
    index.#postings = new Map(exported.postings.map(([stem, list]) => [stem, new Map(list)]))
    return index
  }

  get size () {
    return this.#pages.length
  }

  /**
   * Index a page. Code in fences is left out: examples all look alike.
   *
   * @param {{ path: string, title: string, markdown: string }} page
   * @returns {number} its number
   */
  addPage (page) {
    const number = this.#pages.length
    const body = page.markdown.replace(FENCE, '')
    const headings = [...body.matchAll(HEADING)].map(match => match[2])
    const fields = { title: page.title, heading: headings.join('\n'), body: body.replace(HEADING, '') }
    let length = 0
    for (const [field, text] of Object.entries(fields)) {
      for (const [word] of text.matchAll(WORD)) {
        const stem = stemWord(word.toLowerCase())
        const list = this.#postings.get(stem) ?? this.#postings.set(stem, new Map()).get(stem)
        list.set(number, (list.get(number) ?? 0) + SEARCH_WEIGHTS[field])
        length += SEARCH_WEIGHTS[field]
      }
    }
    this.#pages.push({ path: page.path, title: page.title, length })
    return number
  }

  /**
   * The best pages for a query; its last word matches as a prefix.
   *
   * @param {string} query as typed
   * @param {number} limit how many at most
   * @returns {{ path: string, title: string, score: number }[]}
   */
  searchPages (query, limit = 8) {
    const stems = [...query.toLowerCase().matchAll(WORD)].map(match => stemWord(match[0]))
    const average = this.#pages.reduce((sum, page) => sum + page.length, 0) / (this.size || 1)
    const scores = new Map()
    stems.forEach((stem, place) => {
      const last = place === stems.length - 1
      for (const [known, list] of this.#postings) {
        if (known !== stem && !(last && known.startsWith(stem))) continue
        const rarity = Math.log(1 + (this.size - list.size + 0.5) / (list.size + 0.5))
        for (const [number, frequency] of list) {
          const { k1, b } = SEARCH_WEIGHTS
          const norm = k1 * (1 - b + b * this.#pages[number].length / average)
          scores.set(number, (scores.get(number) ?? 0) + rarity * frequency / (frequency + norm))
        }
      }
    })
    return [...scores]
      .sort(([, one], [, other]) => other - one)
      .slice(0, limit)
      .map(([number, score]) => ({ path: this.#pages[number].path, title: this.#pages[number].title, score }))
  }

  /** Plain data for JSON, stems in alphabetical order. */
  exportIndex () {
    const postings = [...this.#postings].sort(([one], [other]) => (one < other ? -1 : 1))
    return { pages: this.#pages, postings: postings.map(([stem, list]) => [stem, [...list]]) }
  }
}
