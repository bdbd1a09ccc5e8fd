import { cleanDeep } from './clean.ts'

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

/** A JSON text from outside as a clean value; `undefined` where it is none, nested too deeply, or holds too much. */
export function readBoundedJson(
  text: string,
  { maxDepth, maxValues }: { maxDepth: number; maxValues: number },
): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const open = [{ value, depth: 1 }]
  for (let seen = 0; seen < open.length; seen++) {
    const { value: one, depth } = open[seen]!
    if (open.length > maxValues || depth > maxDepth) return undefined
    if (typeof one !== 'object' || one === null) continue
    for (const inner of Object.values(one)) open.push({ value: inner, depth: depth + 1 })
  }
  return cleanDeep(value)
}
