// A text as whoever reads it sees it, for judging it: without disguises, in lower case. Nothing of it is shown.

import { latinForm } from '../mixed-scripts.ts'
import { splitHidden } from '../quote-name.ts'

/**
 * Lower case, compatibility characters folded, hidden characters and marks of emphasis left out, Markdown escapes and
 * HTML entities resolved, percent escapes decoded, letters of another script within a Latin word as the Latin letter they look like, words
 * written letter by letter joined. Line breaks stay. Linear in the text.
 */
export function plainWords(text: string): string {
  const visible = splitHidden(resolveEscapes(text))
    .map((piece) => (typeof piece === 'string' ? piece : ''))
    .join('')
    .normalize('NFKC')
  return joinSpelled(latinForm(visible))
    .replace(emphasis, '')
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/[ \t\u00a0]+/g, ' ')
    .toLowerCase()
}

/** Marks within and around words; an underscore between letters belongs to a name. */
const emphasis =
  /[*`~]{1,3}(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.!?:,])[*`~]{1,3}|(?<![\p{L}\p{N}_])_{1,2}(?=\p{L})|(?<=\p{L})_{1,2}(?![\p{L}\p{N}_])/gu

/** Markdown escapes, HTML entities and percent escapes as what they stand for. */
export const resolveEscapes = (text: string): string =>
  text
    .replace(/%25(?=[0-9a-f]{2})/gi, '%')
    .replace(/(?:%[0-9a-f]{2}){1,200}/gi, decodePercent)
    .replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, resolveEntity)
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')

function decodePercent(run: string): string {
  try {
    return decodeURIComponent(run)
  } catch {
    return run
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  colon: ':',
  lowbar: '_',
  lpar: '(',
  rpar: ')',
  lbrack: '[',
  rbrack: ']',
  lbrace: '{',
  rbrace: '}',
  vert: '|',
  newline: '\n',
  tab: '\t',
  shy: '',
  zwnj: '',
  zwj: '',
}

function resolveEntity(whole: string, hex?: string, decimal?: string, name = ''): string {
  if (name) return entities[name.toLowerCase()] ?? whole
  const point = hex ? Number.parseInt(hex, 16) : Number(decimal)
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : whole
}

/** “I g n o r e  a l l”, “i.g.n.o.r.e”: at least five single letters, parted alike; wider gaps part words. */
const joinSpelled = (text: string): string =>
  text.replace(spelled, (run) => run.replace(/(?<=\p{L})[ .\-_·](?=\p{L})/gu, ''))

const spelled =
  /(?<![\p{L}\p{N}])(?:[A-Za-z\p{Script=Cyrillic}][ .\-_·]){4,200}[A-Za-z\p{Script=Cyrillic}](?![\p{L}\p{N}])/gu
