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

/** `cleanText` applied to every string in a JSON-like value, keys included. The value itself is left as it is. */
export function cleanDeep(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanDeep)
  if (typeof value !== 'object' || value === null) return value

  const entries = Object.entries(value).map(([key, inner]) => [cleanText(key), cleanDeep(inner)] as const)
  return Object.fromEntries(entries)
}
