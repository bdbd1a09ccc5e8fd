// A passage as the sentences that can support a claim. Headings, front matter and lists of references are left out: that
// a title or a source has the words of a claim does not make it true. Takes time in proportion to the text.

import { splitLines } from '../../../core/text/clean.ts'
import { markdownBlocks, plainText } from '../../../core/text/markdown.ts'
import { endsInAbbreviation } from '../../../core/text/words/abbreviations.ts'
import { visibleText } from '../../../core/text/words/visible-text.ts'

const referenceHeading =
  /^(?:references?|sources?|bibliography|citations?|works cited|further reading|external links?|see also|foot ?notes?|notes|literature|quellen|literatur|einzelnachweise|weblinks|références|bibliographie|referencias|bibliografía|enlaces externos)$/i

/** Signs of an entry of a list of references. */
const referenceSigns = [
  /https?:\/\/|\bwww\./i,
  /\b(?:retrieved|archived|accessed|abgerufen|consulté|consultado)\b/i,
  /\b(?:doi|isbn|issn|pmid|arxiv)\b/i,
  /\bpp?\. ?\d|\bvol\. ?\d|\bet al\b/i,
  /^\p{Lu}[\p{L}'’-]{1,30}, \p{Lu}(?:\.|[\p{L}'’-]{1,30}(?: \p{Lu}\.?)*[ ,.(])/u,
  /\((?:19|20)\d\d(?:-\d\d-\d\d)?\)/,
]
const referenceMark = /^(?:\^|\[\^?[\w-]{1,20}\]:?|\(\d{1,3}\)|\d{1,3}[.)])\s/

/** What the page says of itself, which is no statement on its subject. */
const aboutPage =
  /\b(?:last (?:edited|updated|modified|reviewed|changed)|retrieved|accessed|all rights reserved|copyright|©|cookies?|terms of (?:use|service)|privacy policy|sign (?:in|up)|log (?:in|out))\b/i

export function supportSentences(text: string): string[] {
  const lines = splitLines(visibleText(text)).map((line) => line.trimEnd())
  const found: string[] = []
  let skipBelow = 0
  for (const block of markdownBlocks(lines)) {
    if (block.type === 'front_matter') continue
    if (block.type === 'heading') {
      if (skipBelow === 0 || block.level <= skipBelow)
        skipBelow = referenceHeading.test(block.title.replace(/[:*_\s]+$/, '').trim()) ? block.level : 0
      continue
    }
    if (skipBelow > 0) continue
    for (const unit of unitsOf(lines.slice(block.from, block.to)))
      for (const sentence of splitSentences(unit)) if (!isReference(sentence)) found.push(sentence)
  }
  return found
}

/** All of a text, its headings, titles and lists of references, too. Takes time in proportion to the text. */
export const allSentences = (text: string): string[] =>
  unitsOf(
    splitLines(visibleText(text)).map((line) => line.trimEnd()),
    () => false,
  ).flatMap(splitSentences)

/** Lines that belong together, without the signs of Markdown: a list item, a row and a short line stand alone. */
function unitsOf(lines: readonly string[], isLeftOut = isReferenceLine): string[] {
  const units: string[][] = []
  let before = ''
  for (const line of lines) {
    if (isLeftOut(line)) {
      before = ''
      continue
    }
    const continues =
      before.length >= minWrappedLine && !/[.!?:;|]["')\]”]*$/.test(before) && !startsItem.test(line)
    if (continues && units.length > 0) units.at(-1)!.push(line)
    else units.push([line])
    before = line
  }
  return units.map((unit) => plainText(unit.join('\n')).replace(/\s+/g, ' ').trim()).filter(Boolean)
}

/** A shorter line was not broken because it was full. */
const minWrappedLine = 50
const startsItem = /^\s*(?:[-*+•]|\d{1,4}[.)]|>|\||#{1,6})\s/

const countSigns = (text: string): number => referenceSigns.filter((sign) => sign.test(text)).length

const isReferenceLine = (line: string): boolean => {
  const start = line.slice(0, 600).trimStart()
  return referenceMark.test(start) && countSigns(start) > 0
}

/** An entry of a list of references, and what a page says of itself. */
export const isReference = (sentence: string): boolean => {
  const start = sentence.slice(0, 600)
  return /^\^/.test(start) || countSigns(start) > 1 || aboutPage.test(start)
}

const sentenceEnd = /[.!?]["')\]”’»]{0,3}\s+|[。！？]|\s[•·|]\s/gu
const maxSentence = 1200

/** Sentences by their signs; a longer one is cut. */
function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  const push = (end: number) => {
    for (let from = start; from < end; from += maxSentence) {
      const part = text.slice(from, Math.min(end, from + maxSentence)).trim()
      if (/[\p{L}\p{N}]/u.test(part)) sentences.push(part)
    }
    start = end
  }
  for (const { index, 0: mark } of text.matchAll(sentenceEnd)) {
    const end = index + mark.length
    const isPoint = mark.startsWith('.')
    if (isPoint && endsInAbbreviation(text, index)) continue
    if (isPoint && /^\p{Ll}/u.test(text.slice(end, end + 2))) continue
    push(end)
  }
  push(text.length)
  return sentences
}
