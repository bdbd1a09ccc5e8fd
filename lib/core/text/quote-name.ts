import { estimateTokens } from './estimate-tokens.ts'
import { spellHidden } from './hidden-characters.ts'

/**
 * A name as a model may be given it: one line in quotation marks, without anything unseen, cut to at most that many
 * tokens. Whoever wrote it cannot end the quotation with it, nor begin a line.
 */
export function quoteName(name: string, maxTokens: number): string {
  const maxChars = maxTokens * 8
  const line = name
    .slice(0, maxChars)
    .toWellFormed()
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/[“”]/g, '"')
    .trim()
  if (name.length <= maxChars && estimateTokens(`“${line}”`) <= maxTokens) return `“${line}”`
  for (let end = line.length; end > 0; end = Math.floor(end * 0.9)) {
    const cut = `“${line.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')}…”`
    if (estimateTokens(cut) <= maxTokens) return cut
  }
  return '“…”'
}

const maxShownChars = 120

/**
 * A name or text that others wrote, as a sentence of the app shows it: in quotation marks that it cannot end, on one
 * line, hidden characters written out, at most that many characters of it.
 */
export const quoteShown = (text: string, maxChars = maxShownChars): string =>
  `“${spellHidden(shownLine(text, maxChars).replace(/[“”„‟❝❞〝〞＂]/gu, '"'))}”`

/** The same in single marks: for the sentences that the server writes. */
export const quoteShownSingly = (text: string, maxChars = maxShownChars): string =>
  `‘${spellHidden(shownLine(text, maxChars).replace(/[‘’‚‛❛❜]/gu, "'"))}’`

function shownLine(text: string, maxChars: number): string {
  const line = text
    .slice(0, maxChars * 8)
    .replace(/\s+/gu, ' ')
    .trim()
  return line.length > maxChars ? `${line.slice(0, maxChars - 1).toWellFormed()}…` : line
}
