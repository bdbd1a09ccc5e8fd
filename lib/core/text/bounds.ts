// What fits: texts, lists and JSON values measured and cut to bounds.

import { cleanDeep, cleanLine } from './clean.ts'

/**
 * How many tokens a text comes to, at the most. Tokenizers differ and none is at hand for every model, so each kind of
 * text is counted at its worst: two tokens for every three letters of a word (what random letters come to), one for
 * every digit, sign and spare space, one for every byte of a character beyond ASCII. Held against Anthropic's published
 * tokenizer, prose came out at 2.4 times what it is, ids at 1.5 times, and no text below.
 */
export function estimateTokens(text: string): number {
  let tokens = Buffer.byteLength(text)
  let [letters, spaces] = [0, 0]
  // By its characters: the matches of a pattern take thirty times as long, and this is asked of whole contexts.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
    letters = isLetter ? letters + 1 : 0
    spaces = code === 0x20 ? spaces + 1 : 0
    if ((letters > 0 && letters % 3 === 0) || spaces === 1) tokens -= 1
  }
  return tokens
}

/** The first of the items that come to at most that many tokens by `count`, each with one more for the separator. */
export function takeWithin(items: readonly string[], maxTokens: number, count = estimateTokens): string[] {
  let left = maxTokens
  const end = items.findIndex((item) => {
    left -= count(item) + 1
    return left < 0
  })
  return items.slice(0, end === -1 ? undefined : end)
}

const maxTitleLength = 80

/** The first words of a message, as the title of the conversation that it begins. */
export const firstWords = (text: string): string => cleanLine(text).slice(0, maxTitleLength).toWellFormed()

/** At most `length` characters of a line, in whole words unless the first is longer, so that what is cut is a quotation still. */
export function cutAtWord(line: string, length: number): string {
  if (line.length <= length) return line.toWellFormed()
  const cut = line.slice(0, length)
  const end = line[length] === ' ' ? length : cut.lastIndexOf(' ')
  return (end > 0 ? cut.slice(0, end) : cut).trimEnd().toWellFormed()
}

const maxTextLength = 500
const maxEntries = 50
const maxTotal = 8000

/**
 * A JSON value cut down to what a log needs: long texts to their beginning, long lists to their first entries, and what
 * is large all the same to the beginning of its JSON. What is left out is counted.
 */
export function boundJson(value: unknown): unknown {
  const bounded = bound(value)
  const text = JSON.stringify(bounded) ?? 'null'
  return text.length <= maxTotal ? bounded : { cut: cutText(text, maxTotal / 2) }
}

function bound(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, maxTextLength)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const more = value.length - maxEntries
    return [...value.slice(0, maxEntries).map(bound), ...(more > 0 ? [`… and ${more} more`] : [])]
  }
  const entries = Object.entries(value)
  const more = entries.length - maxEntries
  const kept = entries.slice(0, maxEntries).map(([name, inner]) => [cutText(name, 100), bound(inner)])
  return Object.fromEntries(more > 0 ? [...kept, ['…', `and ${more} more`]] : kept)
}

const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}… (${text.length} characters)`

/**
 * How much structure a JSON text may have: values in arrays and objects, keys among them (default: as many), and how deep
 * they are nested.
 */
export type JsonBounds = { values: number; depth: number; keys?: number }

const code = (char: string) => char.charCodeAt(0)
const quote = code('"')
const backslash = code('\\')
const comma = code(',')
const colon = code(':')
const opening = new Set([code('{'), code('[')])
const closing = new Set([code('}'), code(']')])

/**
 * The bound that a JSON text in UTF-8 exceeds, or `null`. Reads each byte once and builds nothing, so that a text can be
 * refused before it is parsed. What is no JSON is for the parser to refuse.
 */
export function exceededBound(
  json: Uint8Array,
  { values, depth, keys = values }: JsonBounds,
): keyof JsonBounds | null {
  let count = 0
  let keyCount = 0
  let level = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!
    if (byte === quote) at = endOfString(json, at)
    else if (byte === comma) count += 1
    else if (byte === colon) keyCount += 1
    else if (opening.has(byte)) {
      count += 1
      level += 1
    } else if (closing.has(byte)) level -= 1
    if (count > values) return 'values'
    if (keyCount > keys) return 'keys'
    if (level > depth) return 'depth'
  }
  return null
}

/** The place of the quotation mark that ends a string. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}

/** A JSON text from outside as a clean value; `undefined` where it is none, nested too deeply, or holds too much. */
export function readBoundedJson(text: string, bounds: JsonBounds): unknown {
  if (exceededBound(new TextEncoder().encode(text), bounds)) return undefined
  try {
    return cleanDeep(JSON.parse(text))
  } catch {
    return undefined
  }
}
