// The lines of a memory page: what the owner said, when, where it holds, and a link to where they said it.
//
//   ## Pinned
//   - The boat is called Tern. ([2026-11-27](/s/home?turn=…), this Space, confirmed 2027-01-04)
//
// A line that the owner writes by hand has its text alone. Those under “Pinned” come first.

import { takeWithin } from '../bounds.ts'
import { cleanLine } from '../clean.ts'
import { countTokens } from '../count-tokens.ts'
import { splitFrontMatter } from '../markdown.ts'
import { sameStatement, statementKey } from './statements.ts'

export type MemoryLine = {
  text: string
  heading: string
  /** YYYY-MM-DD; `null`: the owner wrote the line by hand. */
  said: string | null
  scope: string
  /** Where the owner said it; empty for a line written by hand. */
  href: string
  /** The last day that the owner said it again, YYYY-MM-DD. */
  confirmed: string | null
  /** Its line in the page, 0-based. */
  at: number
}

/** Maximum characters of a line’s text, and lines of a page that are read. */
export const maxMemoryText = 300
const maxLines = 2000

/** Where lines go that name no heading. */
const defaultHeading = 'Remembered'
const pinned = /^pinned$/i

/** Its text is the first group. */
export const item = /^[-*+] (?:\[[ xX]\] )?(.+)$/
const maxTail = 300
const tail =
  /^\(\[(\d{4}-\d{2}-\d{2})\]\(([^()\s]{0,200})\)(?:, ([^(),]{1,40}))?(?:, confirmed (\d{4}-\d{2}-\d{2}))?\)$/

/** The lines of a page, in order. What is no item of a list is no line. */
export function readMemory(body: string): MemoryLine[] {
  const { raw, content } = splitFrontMatter(body)
  const before = raw.split('\n').length - 1
  const lines: MemoryLine[] = []
  let heading = ''
  for (const [index, whole] of content.split('\n', maxLines).entries()) {
    const line = whole.trimEnd()
    if (/^#{1,6} /.test(line)) heading = cleanLine(line.replace(/^#+ /, ''))
    const text = item.exec(line)?.[1]
    if (text) lines.push({ ...readItem(text), heading, at: before + index })
  }
  return lines
}

export function readItem(item: string): Omit<MemoryLine, 'heading' | 'at'> {
  const from = item.lastIndexOf(' ([')
  const found = from > 0 && item.length - from <= maxTail ? tail.exec(item.slice(from + 1)) : null
  const [, said = null, href = '', scope = '', confirmed = null] = found ?? []
  const text = (found ? item.slice(0, from) : item).trim()
  return { text, said, href, scope, confirmed }
}

type Written = Pick<MemoryLine, 'text' | 'said' | 'href' | 'scope' | 'confirmed'>

/** A line as the page holds it. */
export function writeMemoryLine({ text, said, href, scope, confirmed }: Written): string {
  const words = cleanLine(text).slice(0, maxMemoryText).toWellFormed()
  if (said === null) return `- ${words}`
  const parts = [`[${said}](${href})`, scope, confirmed && `confirmed ${confirmed}`].filter(Boolean)
  return `- ${words} (${parts.join(', ')})`
}

/** The page with a line at the end of a heading, which is added where there is none. */
export const addMemoryLine = (body: string, line: string, heading = ''): string =>
  addMemoryLines(body, [{ line, heading }])

function addMemoryLines(body: string, added: readonly { line: string; heading: string }[]): string {
  const named = added.map(({ line, heading }) => ({ line, name: headingName(heading) }))
  const byName = Map.groupBy(named, ({ name }) => name.toLowerCase())
  const lines = body.split('\n')
  const starts = lines.flatMap((line, at) => (/^#{1,6} /.test(line) ? [at] : []))
  const merged = lines.slice(0, starts[0] ?? lines.length)
  for (const [index, start] of starts.entries()) {
    const section = lines.slice(start, starts[index + 1] ?? lines.length)
    const name = cleanLine(section[0]!.replace(/^#+ /, '')).toLowerCase()
    const own = byName.get(name) ?? []
    byName.delete(name)
    const end = section.findLastIndex((line, at) => at === 0 || line.trim() !== '') + 1
    const gap = own.length > 0 && end === 1 ? [''] : []
    for (const line of section.slice(0, end)) merged.push(line)
    merged.push(...gap, ...own.map(({ line }) => line))
    for (const line of section.slice(end)) merged.push(line)
  }
  const parts = [...byName.values()].map(
    (own) => `## ${own[0]!.name}\n\n${own.map(({ line }) => line).join('\n')}\n`,
  )
  const text = merged.join('\n')
  if (parts.length === 0) return text
  return `${text.trimEnd()}${text.trim() === '' ? '' : '\n\n'}${parts.join('\n')}`
}

const headingName = (heading: string) => cleanLine(heading).slice(0, 60).toWellFormed() || defaultHeading

/** The page with another line in the place of one; `null`: without it. */
export function replaceMemoryLine(body: string, { at }: Pick<MemoryLine, 'at'>, line: string | null): string {
  return body
    .split('\n')
    .toSpliced(at, 1, ...(line === null ? [] : [line]))
    .join('\n')
}

/** A page with the lines of another text that it does not have. */
export function mergeMemory(body: string, other: string): string {
  const known = new Set(readMemory(body).map(({ text }) => statementKey(text)))
  const added = readMemory(other).filter(({ text }) => !known.has(statementKey(text)))
  return addMemoryLines(
    body,
    added.map((line) => ({ line: writeMemoryLine(line), heading: line.heading })),
  )
}

/** What two texts of one memory page differ by: lines that come, in the place of which, and lines that go. */
export function memoryChanges(before: string, after: string): { text: string | null; was: string | null }[] {
  const [old, now] = [readMemory(before), readMemory(after)]
  const confirmedOf = new Map(old.map(({ text, confirmed }) => [text, confirmed]))
  const stay = new Set(now.map(({ text }) => text))
  const gone = old.filter(({ text }) => !stay.has(text))
  const come = now.filter(({ text }) => !confirmedOf.has(text))
  const again = now.filter(
    ({ text, confirmed }) => confirmedOf.has(text) && confirmedOf.get(text) !== confirmed,
  )
  const pairs = come.map((line, index) => ({
    text: line.text,
    was: gone.length === come.length ? gone[index]!.text : null,
  }))
  const replaced = new Set(pairs.map(({ was }) => was))
  return [
    ...pairs,
    ...gone.filter(({ text }) => !replaced.has(text)).map(({ text }) => ({ text: null, was: text })),
    ...again.map(({ text }) => ({ text, was: text })),
  ]
}

/** A line as a turn was given it. */
export type GivenLine = Pick<MemoryLine, 'text' | 'said'> & {
  /** Not said again for half a year. */
  old: boolean
}

const oldAfterDays = 180
const dayMs = 86_400_000
const maxMemoryTokens = 800

/**
 * The lines that a turn is given: pinned ones, then confirmed ones, then the rest, then those that are old, within the
 * limit of tokens. `today`: YYYY-MM-DD. `changed`: the day on which the page was last changed, for lines without a date.
 */
export function chooseMemory(
  pages: readonly { lines: readonly MemoryLine[]; changed: string }[],
  today: string,
): GivenLine[] {
  const ranked = pages.flatMap(({ lines, changed }) =>
    lines.map((line) => {
      const since = line.confirmed ?? line.said ?? changed
      const old = (Date.parse(today) - Date.parse(since)) / dayMs > oldAfterDays
      const rank = pinned.test(line.heading) ? 0 : old ? 3 : line.confirmed ? 1 : 2
      return { text: line.text, said: line.said, old, rank }
    }),
  )
  const sorted = ranked
    .toSorted((a, b) => a.rank - b.rank)
    .map(
      ({ rank: _, ...line }): GivenLine => ({
        ...line,
        text: line.text.slice(0, maxMemoryText).toWellFormed(),
      }),
    )
  const taken = takeWithin(sorted.map(showMemoryLine), maxMemoryTokens, countTokens)
  return sorted.slice(0, taken.length)
}

/** A line as the model is given it. */
export function showMemoryLine({ text, said, old }: GivenLine): string {
  const facts = [said, old && 'old, may no longer be true'].filter(Boolean).join('; ')
  return `- ${cleanLine(text)}${facts ? ` (${facts})` : ''}`
}

/** The line that says the same; `null`: none does. */
export const findSameLine = (lines: readonly MemoryLine[], text: string): MemoryLine | null =>
  lines.find((line) => sameStatement(line.text, text)) ?? null
