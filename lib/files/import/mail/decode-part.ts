// The text of a part of a message: its bytes in the encoding that it names, else in the one that they are in; and
// format=flowed as RFC 3676 has it. Takes time in proportion to the bytes.

import { cleanText } from '../../../core/text/clean.ts'
import { decodeHtml, decodeText } from '../file/decode.ts'

export type PartFormat = {
  /** As the part declares it; null: it declares none. */
  charset: string | null
  isHtml: boolean
  /** Null: fixed lines. */
  flowed: { delSp: boolean } | null
}

/** Never throws. `decodeOther` decodes by a label that `TextDecoder` does not know; null: nobody knows it. */
export function decodePart(
  bytes: Uint8Array,
  { charset, isHtml, flowed }: PartFormat,
  decodeOther: (label: string) => string | null,
): string {
  const label = charset?.trim().toLowerCase() ?? ''
  const declared = saysLittle.test(label) ? '' : label
  const text = (declared && decodeDeclared(bytes, declared, decodeOther)) || decodeGuessed(bytes, isHtml)
  const lines = text.replace(/\r\n?/g, '\n')
  return flowed && !isHtml ? unflow(lines, flowed.delSp) : lines
}

/** UTF-8 is looked for in any case, and programs call any text ASCII. */
const saysLittle =
  /^(?:(?:us[-_]?|cs)?ascii|utf[-_]?8|us|646|(?:cp|ibm)367|ansi[-_]x3\.4-19\d\d|iso[-_]?646.{0,20})$/

/** Labels that mail programs use for an encoding that has another name, or for a part of a larger one. */
const aliases: Record<string, string> = {
  'shift-jis': 'shift_jis',
  'x-sjis': 'shift_jis',
  gb2312: 'gb18030',
  gbk: 'gb18030',
}

/** Null: the bytes are not in that encoding, or nobody knows it. */
function decodeDeclared(
  bytes: Uint8Array,
  label: string,
  decodeOther: (label: string) => string | null,
): string | null {
  const dashed = label.replace(/_/g, '-')
  const decoder = decoderOf(aliases[dashed] ?? label) ?? decoderOf(dashed)
  const text = decoder ? decoder.decode(bytes) : decodeOther(dashed)
  if (text === null) return null
  const broken = text.split(replacement).length - 1
  // A character that was cut, or that a vendor added, is no reason to doubt the rest.
  return broken * 100 <= text.length ? cleanText(text) : null
}

const replacement = '\uFFFD'

function decoderOf(label: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}

function decodeGuessed(bytes: Uint8Array, isHtml: boolean): string {
  const text = isHtml ? decodeHtml(bytes) : decodeText(bytes)?.text
  return text ?? cleanText(new TextDecoder('windows-1252').decode(bytes))
}

/**
 * Joins the lines of each paragraph (RFC 3676, section 4). A line that ends in a space goes on in the next one of the same
 * quote depth; with `delSp` that space goes. Quote marks are written again as `> > `; the line above a signature stays.
 */
export function unflow(text: string, delSp: boolean): string {
  const paragraphs: { depth: number; text: string; isOpen: boolean }[] = []
  for (const line of text.split('\n')) {
    const depth = /^>*/.exec(line)![0].length
    // Stuffed: a space that keeps the text from being read as a quote mark.
    const content = line[depth] === ' ' ? line.slice(depth + 1) : line.slice(depth)
    const isMark = content === signatureMark
    const isOpen = content.endsWith(' ') && !isMark
    const piece = isOpen && delSp ? content.slice(0, -1) : content
    const last = paragraphs.at(-1)
    // An empty line ends a paragraph, whatever stands before it.
    if (last?.isOpen && last.depth === depth && !isMark && content !== '') {
      last.text += piece
      last.isOpen = isOpen
    } else paragraphs.push({ depth, text: piece, isOpen })
  }
  return paragraphs
    .map(({ depth, text, isOpen }) => {
      const end = text === signatureMark || !isOpen ? text : text.trimEnd()
      return depth > 0 ? `${'> '.repeat(depth)}${end}` : /^(?:>|From )/.test(end) ? ` ${end}` : end
    })
    .join('\n')
}

/** The line above a signature (RFC 3676, section 4.3). */
export const signatureMark = '-- '
