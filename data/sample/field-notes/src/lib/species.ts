/** Ranks of a name, from the widest to the narrowest; the numbers are those of the national checklist. */
export enum Rank {
  Family = 40,
  Genus = 60,
  Species = 70,
  Subspecies = 80
}

export const enum Source { Museum = 'museum', Observatory = 'observatory' }

export type Language = 'de' | 'en' | 'fr' | 'it' | 'la'

export interface Taxon {
  readonly id: number
  readonly name: string
  readonly rank: Rank
  readonly family: string
  readonly vernacular: Readonly<Partial<Record<Language, readonly string[]>>>
  /** Shown to the public on a coarse grid only. */
  readonly sensitive?: boolean
}

export interface Match<T extends Taxon = Taxon> {
  taxon: T
  distance: number
  via: Language
}

interface Options {
  rank?: Rank
  language?: Language
  tolerance?: number
}

export class ChecklistError extends Error {
  override readonly name = 'ChecklistError'

  constructor (message: string, public readonly line: number, options?: ErrorOptions) {
    super(`line ${line}: ${message}`, options)
  }
}

/** Whether a value has the fields of a taxon; used on what a worker sends. */
export function isTaxon (value: unknown): value is Taxon {
  return typeof value === 'object' && value !== null && 'id' in value && 'rank' in value && 'family' in value
}

/**
 * Edits between two strings, insertions, deletions and substitutions counting one each (Wagner and Fischer, 1974).
 */
function editDistance (left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = above[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1)
      current[column] = Math.min(substitution, above[column]! + 1, current[column - 1]! + 1)
    }
    above = current
  }
  return above[right.length]!
}

function * namesOf (taxon: Taxon, language: Language): Generator<[string, Language]> {
  yield [taxon.name, 'la']
  for (const name of taxon.vernacular[language] ?? []) yield [name, language]
}

/**
 * The taxon whose scientific or vernacular name has the smallest edit distance from a string.
 *
 * @returns the match, or `undefined` where two taxa tie or all are beyond the tolerance
 */
export function matchSpecies (checklist: readonly Taxon[], typed: string): Match | undefined
export function matchSpecies (checklist: readonly Taxon[], typed: string, options: Options): Match | undefined
export function matchSpecies (
  checklist: readonly Taxon[],
  typed: string,
  { rank = Rank.Species, language = 'en', tolerance = 3 }: Options = {}
): Match | undefined {
  const wanted = typed.trim().toLowerCase()
  const found: Match[] = []
  for (const taxon of checklist) {
    if (taxon.rank !== rank) continue
    for (const [name, via] of namesOf(taxon, language)) {
      const distance = editDistance(wanted, name.toLowerCase())
      if (distance <= tolerance) found.push({ taxon, distance, via })
    }
  }
  found.sort((one, other) => one.distance - other.distance || one.taxon.id - other.taxon.id)
  const [best, second] = found
  const tie = second !== undefined && second.distance === best?.distance && second.taxon.id !== best.taxon.id
  return tie ? undefined : best
}

/** Records by family, families in alphabetical order, records in the order given. */
export function groupByFamily<R extends { taxon: Taxon }> (records: Iterable<R>): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const record of records) {
    const group = groups.get(record.taxon.family)
    if (group) group.push(record)
    else groups.set(record.taxon.family, [record])
  }
  return new Map([...groups].sort(([one], [other]) => one.localeCompare(other)))
}

/**
 * Taxa of a CSV file with the columns of either source; semicolons or commas.
 *
 * @throws {ChecklistError} a line has too few columns or a rank that is not in the enumeration
 */
export function parseChecklist (csv: string, source: Source = Source.Museum): Taxon[] {
  const [head, ...lines] = csv.split(/\r?\n/)
  const separator = head?.includes(';') ? ';' : ','
  const taxa: Taxon[] = []
  for (const [index, line] of lines.entries()) {
    if (!line.trim()) continue
    const cells = line.split(separator).map(cell => cell.trim())
    // The observatory puts the number behind the family.
    const ordered = source === Source.Museum ? cells : [cells[3], ...cells.slice(0, 3), ...cells.slice(4)]
    const [id, name, rank, family, ...vernacular] = ordered
    if (!name || !family) throw new ChecklistError('too few columns', index + 2)
    if (!(Number(rank) in Rank)) throw new ChecklistError(`${rank} is no rank`, index + 2)
    const [de = '', fr = '', en = ''] = vernacular
    taxa.push({
      id: Number(id),
      name,
      rank: Number(rank) as Rank,
      family,
      vernacular: { de: de.split('/'), fr: fr.split('/'), en: en.split('/') },
      ...(line.endsWith('*') ? { sensitive: true } : {})
    } satisfies Taxon)
  }
  return taxa
}
