import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'

const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g

/**
 * Links of a Markdown page, without those to other sites.
 *
 * @param {string} markdown the page's text
 * @returns {string[]} targets as written
 */
export function extractInternalLinks (markdown) {
  return [...markdown.matchAll(LINK)].map(match => match[1]).filter(target => !/^[a-z]+:/i.test(target))
}

/**
 * Links that lead nowhere.
 *
 * @param {Map<string, string>} pages path → Markdown
 * @returns {{ page: string, target: string }[]}
 */
export function findBrokenLinks (pages) {
  const broken = []
  for (const [page, markdown] of pages) {
    for (const target of extractInternalLinks(markdown)) {
      const path = normalize(join(dirname(page), target.split('#')[0]))
      if (!pages.has(path)) broken.push({ page, target })
    }
  }
  return broken
}

/**
 * Read the pages that a list names.
 *
 * @param {string[]} paths files
 * @returns {Promise<Map<string, string>>} path → Markdown
 */
export async function loadPages (paths) {
  const texts = await Promise.all(paths.map(path => readFile(path, 'utf8')))
  return new Map(paths.map((path, index) => [normalize(path), texts[index]]))
}
