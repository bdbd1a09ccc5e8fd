import { spellHidden } from '../../text/hidden-characters.ts'

const longest = 120

/** A piece of a draft as a warning quotes it: on one line, bounded, with nothing hidden in it. */
export function quoted(text: string): string {
  const line = spellHidden(text.replace(/\s+/gu, ' ').trim())
  return `‘${line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}…` : line}’`
}

/** "1 page", "3 pages". */
export const amount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
