// Tool output made fit for the model: no empty blocks, well-formed text, and not larger than its share of the turn.
// What is cut is said in the result, so that the model asks for a smaller range instead of guessing the rest.

import type { SearchResultBlock, TextBlock, ToolResultBlock } from '../model.ts'

type Content = ToolResultBlock['content']
type Part = TextBlock | SearchResultBlock

export type FittedResult = { content: Content; bytes: number }

/** `content` within `maxBytes` of UTF-8 text, plus a line that says so when something was left out. */
export function fitResult(content: Content, maxBytes: number): FittedResult {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const budget = { left: maxBytes, total: 0 }
  const kept = parts.map((part) => fitPart(part, budget)).filter((part) => part !== null)
  if (budget.total > maxBytes) kept.push({ type: 'text', text: cutNotice(budget.total, maxBytes) })

  if (typeof content !== 'string')
    return { content: kept.length > 0 ? kept : emptyResult, bytes: sizeOf(kept) }
  const text = kept.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n')
  return { content: text || emptyResult, bytes: Buffer.byteLength(text) }
}

const emptyResult = 'The tool returned nothing.'

const cutNotice = (total: number, shown: number) =>
  `[Cut: this result has ${total} bytes and only the first ${shown} are shown. Ask for less, or for a range.]`

type Budget = { left: number; total: number }

function fitPart(part: Part, budget: Budget): Part | null {
  if (part.type === 'text') {
    const text = take(part.text, budget)
    return text.trim() === '' ? null : { ...part, text }
  }
  const content = part.content
    .map((piece) => ({ ...piece, text: take(piece.text, budget) }))
    .filter((piece) => piece.text.trim() !== '')
  if (content.length === 0) return null
  return { ...part, title: part.title.toWellFormed(), source: part.source.toWellFormed(), content }
}

/** The beginning of `text` that fits, never half a character. */
function take(text: string, budget: Budget): string {
  const size = Buffer.byteLength(text)
  budget.total += size
  const room = Math.max(0, budget.left)
  budget.left -= size
  if (size <= room) return text.toWellFormed()
  // A cut inside a character leaves bytes that decode to U+FFFD at the very end.
  return Buffer.from(text)
    .subarray(0, room)
    .toString()
    .replace(/\uFFFD+$/, '')
}

function sizeOf(parts: Part[]): number {
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : part.content.map((p) => p.text)))
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}
