// An answer as it can be said aloud: no Markdown, no addresses, and not longer than somebody listens.

import { plainText } from '../../ai/offline/questions/plain-text.ts'

/** Characters: about forty seconds of speech. */
const longest = 600
const more = 'There is more in the conversation.'

/** Plain text of at most some 600 characters, cut at the end of a sentence. Accepts any string. */
export function toSpoken(markdown: string): string {
  const lines = withoutCode(markdown.slice(0, 20_000)).split('\n').map(toLine).filter(Boolean)
  return shorten(lines.map(asSentence).join(' '))
}

const withoutCode = (text: string) =>
  text.replace(/^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[^\n]*$|(?![\s\S]))/gm, '')

function toLine(line: string): string {
  if (/^[\s|:*_=-]*$/.test(line)) return ''
  const words = line.replace(/^(?:[ \t]|>|#{1,6} |[-*+] |\d{1,9}[.)] |\[[ xX]\] )+/, '')
  const cells = words.startsWith('|') ? words.replace(/^\||\|\s*$/g, '').replace(/\s*\|\s*/g, ', ') : words
  return plainText(cells)
    .replace(/\s?\(https?:[^\s)]*\)|https?:\/\/\S+/gi, '')
    .replace(/[*`~<>[\]]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const asSentence = (line: string) => (/[.!?:;,…。！？]["'”’»)]?$/.test(line) ? line : `${line}.`)

function shorten(text: string): string {
  if (text.length <= longest) return text
  const room = text.slice(0, longest - more.length - 1).toWellFormed()
  const sentence = /^[\s\S]*[.!?…。！？]["'”’»)]?(?=\s)/.exec(room)?.[0]
  const cut = sentence && sentence.length > longest / 3 ? sentence : `${room.replace(/\s+\S*$/, '')} …`
  return `${cut} ${more}`
}
