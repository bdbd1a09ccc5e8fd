// Text in which nothing hides: characters that cannot be seen, or that turn the reading order around, are told apart
// so that a card can write them out.

export type HiddenCharacter = { code: string; name: string }

/** The text in order: plain stretches as strings, and each hidden character by its code point and name. */
export function splitHidden(text: string): (string | HiddenCharacter)[] {
  const pieces: (string | HiddenCharacter)[] = []
  let from = 0
  for (const match of text.matchAll(hidden)) {
    if (isPartOfEmoji(text, match.index, match[0])) continue
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
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}]/gu

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
  '\ufeff': 'byte order mark',
}

function describe(character: string): HiddenCharacter {
  const point = character.codePointAt(0) ?? 0
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  return { code, name: names[character] ?? (isTag(point) ? 'tag character' : 'hidden character') }
}

const isTag = (point: number) => point >= 0xe0000 && point <= 0xe007f

// A tab and a line break can be seen. An emoji is joined and coloured by characters that are hidden elsewhere.
function isPartOfEmoji(text: string, index: number, character: string): boolean {
  if (character === '\n' || character === '\t') return true
  if (character === '\r') return text[index + 1] === '\n'
  if (!/[\u200d\ufe0e\ufe0f]/.test(character)) return false
  return /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}#*0-9]|\ufe0f)$/u.test(
    text.slice(Math.max(0, index - 4), index),
  )
}

/** The text with each hidden character written out as `[U+202E]`. */
export const spellHidden = (text: string): string =>
  splitHidden(text)
    .map((piece) => (typeof piece === 'string' ? piece : `[${piece.code}]`))
    .join('')
