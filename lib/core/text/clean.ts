/**
 * Text as it may be stored: well-formed UTF-16 (a lone surrogate becomes U+FFFD) and without NUL, which Postgres
 * refuses. Called wherever text enters: requests, tool input, imports, the model's answers.
 */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** `cleanText`, with line breaks and runs of white space folded into single spaces and the ends trimmed. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/gu, ' ').trim()
}

/**
 * A copy of a JSON-like value with `fn` applied to every string and `fnKey` to every key; the value itself where that changes nothing.
 * What lies deeper than 64 levels becomes a note: walking it could overflow the stack, here and in every
 * `JSON.stringify` after.
 */
function mapStrings(value: unknown, fn: MapText, fnKey: MapText, depth = 0): unknown {
  if (typeof value === 'string') return fn(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '[nested too deeply]'

  if (Array.isArray(value)) {
    const items = value.map((item) => mapStrings(item, fn, fnKey, depth + 1))
    return items.every((item, i) => item === value[i]) ? value : items
  }
  const entries = Object.entries(value)
  const mapped = entries.map(([key, field]) => [fnKey(key), mapStrings(field, fn, fnKey, depth + 1)] as const)
  const same = mapped.every(([key, field], i) => key === entries[i]?.[0] && field === entries[i]?.[1])
  return same ? value : Object.fromEntries(mapped)
}

const maxDepth = 64

type MapText = (text: string) => string

/** `cleanText` applied to every string in a JSON-like value, keys included. */
export const cleanDeep = (value: unknown): unknown => mapStrings(value, cleanText, cleanText)

/** `fn` applied to every string in a JSON-like value; keys stay. */
export const mapTexts = (value: unknown, fn: MapText): unknown => mapStrings(value, fn, (key) => key)

/** The lines of a text, each with its own line break (`\n` or `\r\n`); joined they are the text, byte for byte. */
export function splitLines(text: string): string[] {
  const lines: string[] = []
  let start = 0
  while (start < text.length) {
    const at = text.indexOf('\n', start)
    const end = at < 0 ? text.length : at + 1
    lines.push(text.slice(start, end))
    start = end
  }
  return lines
}
