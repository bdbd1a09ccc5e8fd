// An answer as it can be said aloud: no Markdown, no addresses, and short enough to listen to.

import { plainText } from '../../core/text/plain-text.ts'
import { stripEmbeds } from '../../core/text/split-note.ts'

/** Characters: about forty seconds of speech. */
const maxChars = 600
const more = 'There is more in the conversation.'

/** Plain text of at most some 600 characters, cut at the end of a sentence. Accepts any string. */
export function toPlainText(markdown: string): string {
  const lines = withoutCode(markdown.slice(0, 20_000)).split('\n').map(toLine).filter(Boolean)
  return shorten(lines.map(asSentence).join(' '))
}

const withoutCode = (text: string) =>
  text.replace(/^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[^\n]*$|(?![\s\S]))/gm, '')

function toLine(line: string): string {
  if (/^[\s|:*_=-]*$/.test(line)) return ''
  const words = line.replace(/^(?:[ \t]|>|#{1,6} |[-*+] |\d{1,9}[.)] |\[[ xX]\] )+/, '')
  const cells = words.startsWith('|') ? words.replace(/^\||\|\s*$/g, '').replace(/\s*\|\s*/g, ', ') : words
  return plainText(stripEmbeds(cells))
    .replace(/\s?\(https?:[^\s)]*\)|https?:\/\/\S+/gi, '')
    .replace(/[*`~<>[\]]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const asSentence = (line: string) => (/[.!?:;,…。！？]["'”’»)]?$/.test(line) ? line : `${line}.`)

function shorten(text: string): string {
  if (text.length <= maxChars) return text
  const room = text.slice(0, maxChars - more.length - 1).toWellFormed()
  const sentence = /^[\s\S]*[.!?…。！？]["'”’»)]?(?=\s)/.exec(room)?.[0]
  const cut = sentence && sentence.length > maxChars / 3 ? sentence : `${room.replace(/\s+\S*$/, '')} …`
  return `${cut} ${more}`
}
