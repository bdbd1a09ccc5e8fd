const pairs: readonly [string, string][] = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['‘', '’'],
  ["'", "'"],
  ['`', '`'],
]

/** A text without the quotation marks around all of it, if there are any; trimmed. */
export function unquote(text: string): string {
  const trimmed = text.trim()
  const pair = pairs.find(
    ([open, close]) => trimmed.length > 2 && trimmed.startsWith(open) && trimmed.endsWith(close),
  )
  const inner = trimmed.slice(1, -1)
  return pair && !inner.includes(pair[1]) ? inner.trim() : trimmed
}

/** The quoted text that a text begins with, and what follows it; `null` when it doesn't begin with one. */
export function leadingQuote(text: string): { quoted: string; rest: string } | null {
  const trimmed = text.trimStart()
  const pair = pairs.find(([open]) => trimmed.startsWith(open))
  const end = pair ? trimmed.indexOf(pair[1], 1) : -1
  if (end < 2) return null
  return { quoted: trimmed.slice(1, end).trim(), rest: trimmed.slice(end + 1).trim() }
}
