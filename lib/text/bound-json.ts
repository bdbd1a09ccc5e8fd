const longestText = 500
const mostEntries = 50
const mostInAll = 8000

/**
 * A JSON value cut down to what a log needs: long texts to their beginning, long lists to their first entries, and what
 * is large all the same to the beginning of its JSON. What is left out is counted.
 */
export function boundJson(value: unknown): unknown {
  const bounded = bound(value)
  const text = JSON.stringify(bounded) ?? 'null'
  return text.length <= mostInAll ? bounded : { cut: cutText(text, mostInAll / 2) }
}

function bound(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, longestText)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const more = value.length - mostEntries
    return [...value.slice(0, mostEntries).map(bound), ...(more > 0 ? [`… and ${more} more`] : [])]
  }
  const entries = Object.entries(value)
  const more = entries.length - mostEntries
  const kept = entries.slice(0, mostEntries).map(([name, inner]) => [cutText(name, 100), bound(inner)])
  return Object.fromEntries(more > 0 ? [...kept, ['…', `and ${more} more`]] : kept)
}

const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}… (${text.length} characters)`
