// A question that is a thing's name asks for that thing: by its title, an alias or the name of its file, or by its title
// but for small words.

import { normalizeName } from '../core/text/normalize-name.ts'
import { contentStems, stemsOf } from '../core/text/words/content-words.ts'
import type { FoundChunk } from '../db/repos/chunk_rankings.ts'
import { keyOf } from './rank-passages.ts'

/** Longest question that is taken for a name, in characters. */
const maxNameLength = 200
const articles = ['the', 'a', 'an']

export type Names = {
  /** The question as a name; '' if it is none. */
  whole: string
  /** The same without signs at its end, and with an article. */
  others: string[]
}

/** Without quotation marks around all of it. */
export const unquoted = (question: string): string => question.trim().replace(/^["“«]([^"”»]*)["”»]?$/u, '$1')

/** The names, as `normalizeName` has them, that a question may be. */
export function namesIn(question: string): Names {
  const whole = normalizeName(unquoted(question))
  if (whole === '' || whole.length > maxNameLength) return { whole: '', others: [] }
  const bare = whole.replace(/[\s.!?…]+$/u, '')
  const others = [bare, ...articles.map((word) => `${word} ${bare}`)]
  return { whole, others: bare ? others.filter((name) => name !== whole) : [] }
}

/**
 * First what has the question as its name, then what has it as its name but for small words, then the rest as it is
 * ranked. `named` are the first passages of things with one of the names; their best passages stand in `ranked`, if any
 * does. Of each thing one passage moves; `first` are the things that came first.
 */
export function exactFirst(
  ranked: readonly FoundChunk[],
  named: readonly (FoundChunk & { exact: boolean })[],
  question: string,
): { chunks: FoundChunk[]; first: ReadonlySet<string> } {
  const asked = question.length > maxNameLength ? new Set<string>() : stemsOf(question)
  const bestOf = (entityId: string) => ranked.find(({ entity_id }) => entity_id === entityId)
  const passagesOf = (isExact: boolean) =>
    named
      .filter((each) => each.exact === isExact)
      .map(({ exact, ...chunk }) => bestOf(chunk.entity_id) ?? chunk)
  const hasName = ({ title }: FoundChunk) =>
    holdsAll(stemsOf(title), asked) && holdsAll(asked, contentStems(title))
  const titled = asked.size > 0 ? ranked.filter(hasName) : []

  const first = new Map<string, FoundChunk>()
  for (const chunk of [...passagesOf(true), ...passagesOf(false), ...titled])
    if (!first.has(chunk.entity_id)) first.set(chunk.entity_id, chunk)
  const moved = new Set([...first.values()].map(keyOf))
  return {
    chunks: [...first.values(), ...ranked.filter((chunk) => !moved.has(keyOf(chunk)))],
    first: new Set(first.keys()),
  }
}

const holdsAll = (words: ReadonlySet<string>, wanted: ReadonlySet<string>) =>
  [...wanted].every((word) => words.has(word))
