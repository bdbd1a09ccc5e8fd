/** Lone surrogates become U+FFFD and NUL is dropped: Postgres text can hold neither. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/**
 * A copy of the JSON value with `fn` applied to every string and key; the value itself where that changes nothing.
 * What lies deeper than 64 levels becomes a note: walking it could overflow the stack, here and in every
 * `JSON.stringify` after.
 */
export function mapStrings(value: unknown, fn: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return fn(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '[nested too deeply]'

  if (Array.isArray(value)) {
    const items = value.map((item) => mapStrings(item, fn, depth + 1))
    return items.every((item, i) => item === value[i]) ? value : items
  }
  const entries = Object.entries(value)
  const mapped = entries.map(([key, field]) => [fn(key), mapStrings(field, fn, depth + 1)] as const)
  const same = mapped.every(([key, field], i) => key === entries[i]?.[0] && field === entries[i]?.[1])
  return same ? value : Object.fromEntries(mapped)
}

const maxDepth = 64
