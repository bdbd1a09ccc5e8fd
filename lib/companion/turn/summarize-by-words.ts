// What a conversation is about without a model: the first words of what was asked and answered.

import { cleanLine } from '../../core/text/clean.ts'
import { plainText } from '../../core/text/markdown.ts'
import { splitHidden } from '../../core/text/quote-name.ts'

export const maxSummaryLength = 280

/** What was asked last with the first sentence of its answer, then the first words of the questions before. */
export function summarizeByWords(questionsNewestFirst: readonly string[], answer: string): string {
  const [latest = '', ...earlier] = questionsNewestFirst.map((question) => asLine(question, 64))
  const parts = [latest, asLine(firstSentence(answer), 140), ...earlier]
  return [...new Set(parts)].filter(Boolean).join(' · ').slice(0, maxSummaryLength).toWellFormed().trim()
}

function firstSentence(markdown: string): string {
  const paragraph = plainText(markdown.slice(0, 2000)).trim().split('\n\n', 1)[0]!
  const [first] = sentences.segment(paragraph.slice(0, 600).toWellFormed())
  return first?.segment ?? ''
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** One line, without what is not seen or turns the direction of writing round. */
export function asLine(text: string, length: number): string {
  const visible = splitHidden(cleanLine(text.slice(0, length * 4))).filter(
    (piece) => typeof piece === 'string',
  )
  return cleanLine(visible.join('')).slice(0, length).toWellFormed().trim()
}
