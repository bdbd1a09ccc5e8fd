import { z } from 'zod'
import { cleanLine, cleanText } from '../text/clean.ts'

export type ResultText = { text: string; cut: boolean; failed: boolean }

const maxChars = 200_000

const Block = z.looseObject({ type: z.string() })
const Result = z.looseObject({
  content: z.array(z.unknown()).max(10_000).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

/**
 * The result of a tool as text, within bounds. What is no text is named, not taken over. Never throws: an answer that
 * is no result says so.
 */
export function toResultText(answer: unknown): ResultText {
  const parsed = Result.safeParse(answer)
  if (!parsed.success) return { text: 'The answer is no result of the protocol.', cut: false, failed: true }
  const { content, structuredContent, isError = false } = parsed.data
  const blocks = content.map(describeBlock).filter((text) => text.trim() !== '')
  if (blocks.length === 0 && structuredContent !== undefined) blocks.push(JSON.stringify(structuredContent))
  const text = cleanText(blocks.join('\n\n'))
  const kept = text.slice(0, maxChars).toWellFormed()
  return { text: kept || '(empty)', cut: kept.length < text.length, failed: isError }
}

function describeBlock(given: unknown): string {
  const block = Block.safeParse(given).data
  if (!block) return ''
  if (block.type === 'text') return stringOf(block.text)
  if (block.type === 'resource_link') return `[Link: ${lineOf(block.name)} ${lineOf(block.uri)}]`
  if (block.type === 'resource') {
    const resource = z.looseObject({}).safeParse(block.resource).data ?? {}
    return stringOf(resource.text) || `[Resource: ${lineOf(resource.uri)} ${lineOf(resource.mimeType)}]`
  }
  return `[${lineOf(block.type)} ${lineOf(block.mimeType)}, ${stringOf(block.data).length} characters, not shown]`
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const lineOf = (value: unknown): string => cleanLine(stringOf(value)).slice(0, 300)
