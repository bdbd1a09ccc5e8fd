import { estimateTokens } from './estimate-tokens.ts'

/**
 * A name as a model may be given it: one line in quotation marks, without anything unseen, cut to at most that many
 * tokens. Whoever wrote it cannot end the quotation with it, nor begin a line.
 */
export function quoteName(name: string, mostTokens: number): string {
  const longest = mostTokens * 8
  const line = name
    .slice(0, longest)
    .toWellFormed()
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/[“”]/g, '"')
    .trim()
  if (name.length <= longest && estimateTokens(`“${line}”`) <= mostTokens) return `“${line}”`
  for (let end = line.length; end > 0; end = Math.floor(end * 0.9)) {
    const cut = `“${line.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')}…”`
    if (estimateTokens(cut) <= mostTokens) return cut
  }
  return '“…”'
}
