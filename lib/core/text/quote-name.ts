// Names and texts that others wrote, quoted so that nothing hides in them: characters that cannot be seen, or that turn
// the reading order around, are told apart and written out.

import { estimateTokens } from './bounds.ts'

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

/** The same without marks, where it stands by itself: in a row or a heading of its own. */
export const showLine = (text: string, maxChars = maxShownChars): string =>
  spellHidden(shownLine(text, maxChars))

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

export type HiddenCharacter = { code: string; name: string }

/** The text in order: plain stretches as strings, and each hidden character by its code point and name. */
export function splitHidden(text: string): (string | HiddenCharacter)[] {
  const pieces: (string | HiddenCharacter)[] = []
  let from = 0
  for (const match of text.matchAll(hidden)) {
    if (isVisible(text, match.index, match[0])) continue
    if (match.index > from) pieces.push(text.slice(from, match.index))
    pieces.push(describe(match[0]))
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push(text.slice(from))
  return pieces
}

export const hasHidden = (text: string): boolean =>
  splitHidden(text).some((piece) => typeof piece !== 'string')

// Controls (but for tab and line break), format characters, separators of lines and paragraphs, private use, and
// whatever Unicode says is to be drawn as nothing: tags, variation selectors, blanks that count as letters.
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/gu

const names: Record<string, string> = {
  '\u00ad': 'soft hyphen',
  '\u061c': 'Arabic letter mark',
  '\u200b': 'zero-width space',
  '\u200c': 'zero-width non-joiner',
  '\u200d': 'zero-width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'end of embedding',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'end of isolate',
  '\u2800': 'Braille blank',
  '\ufeff': 'byte order mark',
}

function describe(character: string): HiddenCharacter {
  const point = character.codePointAt(0) ?? 0
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  return { code, name: names[character] ?? (isTag(point) ? 'tag character' : 'hidden character') }
}

const isTag = (point: number) => point >= 0xe0000 && point <= 0xe007f

// A tab and a line break can be seen, and so can a blank between signs of Braille. An emoji is joined and coloured by
// characters that are hidden elsewhere.
function isVisible(text: string, index: number, character: string): boolean {
  if (character === '\n' || character === '\t') return true
  if (character === '\u2800') return /[\u2801-\u28ff]/.test(text.slice(Math.max(0, index - 3), index + 4))
  if (character === '\r') return text[index + 1] === '\n'
  if (!/[\u200d\ufe0e\ufe0f]/.test(character)) return false
  return /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}#*0-9]|\ufe0f)$/u.test(
    text.slice(Math.max(0, index - 4), index),
  )
}

/** The text with each hidden character written out as `[U+202E]`. */
const spellHidden = (text: string): string =>
  splitHidden(text)
    .map((piece) => (typeof piece === 'string' ? piece : `[${piece.code}]`))
    .join('')
