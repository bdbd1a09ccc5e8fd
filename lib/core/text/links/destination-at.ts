// Destinations of links and definitions of references at a place in running text, by CommonMark.

import type { InlineLink } from './inline-link.ts'

/** Maximum characters of a reference's name. */
export const maxReference = 1000

/** The definition that stands at the start of a line of a paragraph; `end` is the start of the next line. */
export function definitionAt(text: string, start: number): InlineLink | null {
  const opening = /^ {0,3}\[(?!\^)((?:\\.|[^[\]\\]){1,1000})\]:[ \t]*(?:\n[ \t]*)?/s.exec(
    text.slice(start, start + 2 * maxReference),
  )
  if (!opening?.[1]?.trim()) return null
  const from = start + opening[0].length
  const found = bareOrPointed(text, from, false)
  if (!found) return null
  const end = endOfDefinition(text, found.end)
  if (end === null) return null
  const { destination, at } = found
  return { kind: 'definition', embed: false, label: opening[1], destination, at, start, end }
}

/** Behind the title, if there is one, and the end of the line. */
function endOfDefinition(text: string, at: number): number | null {
  const title = titleAt(text, at)
  for (const from of title === null ? [at] : [title, at]) {
    const rest = /[ \t]*(?:\n|$)/y
    rest.lastIndex = from
    const match = rest.exec(text)
    if (match) return from + match[0].length
  }
  return null
}

type Destination = { destination: string; at: number; end: number }

/** `(destination "title")` from behind its parenthesis. */
export function destinationIn(text: string, from: number): Destination | null {
  const start = skipSpace(text, from)
  const found = bareOrPointed(text, start, true)
  if (!found) return null
  const end = skipSpace(text, titleAt(text, found.end) ?? found.end)
  return text[end] === ')' ? { ...found, end: end + 1 } : null
}

const maxParentheses = 32
const maxDestination = 10_000

function bareOrPointed(text: string, start: number, isInline: boolean): Destination | null {
  if (text[start] === '<') {
    const match = /^<((?:\\.|[^<>\n\\])*)>/.exec(text.slice(start, start + maxDestination))
    return match && { destination: match[1]!, at: start + 1, end: start + match[0].length }
  }
  let depth = 0
  let at = start
  for (; at < text.length && at - start < maxDestination; at++) {
    const sign = text[at]!
    if (sign === '\\' && isPunctuation(text[at + 1])) at++
    else if (sign === '(' && ++depth > maxParentheses) return null
    else if (sign === ')' && depth-- === 0) break
    else if (sign <= ' ') break
  }
  if (isInline ? text.startsWith('[[', start) : depth > 0 || at === start) return null
  if (depth > 0) return null
  return { destination: text.slice(start, at), at: start, end: at }
}

const isPunctuation = (sign: string | undefined) => sign !== undefined && /[!-/:-@[-`{-~]/.test(sign)

/** Where a title ends that stands behind white space; `null` for none. */
function titleAt(text: string, from: number): number | null {
  const start = skipSpace(text, from)
  if (start === from) return null
  const pattern = titles[text[start] ?? '']
  if (!pattern) return null
  const match = pattern.exec(text.slice(start, start + maxDestination))
  return match && start + match[0].length
}

const titles: Record<string, RegExp> = {
  '"': /^"(?:\\.|[^"\\])*"/s,
  "'": /^'(?:\\.|[^'\\])*'/s,
  '(': /^\((?:\\.|[^()\\])*\)/s,
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && (text[at] === ' ' || text[at] === '\t' || text[at] === '\n')) at++
  return at
}
