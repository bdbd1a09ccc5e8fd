// Tool results read back from the conversation. They hold untrusted text, so everything is taken apart defensively and
// nothing in it is ever looked at as a request.

import { parseSource } from '../agent/sources.ts'
import type { ContentBlock } from '../model.ts'

/** One citable text: a passage that was found, or a thing that was read. */
export type Found = {
  kind: string
  id: string
  title: string
  source: string
  /** Its blocks, word for word as the model was given them. */
  blocks: string[]
  /** Its place among all search results of the request, as citations count them. */
  index: number
}

export type Answer = { isError: boolean; text: string; found: Found[] }

/** What `read` or `context` told of one thing. */
export type Thing = {
  kind: string
  id: string
  fields: Record<string, unknown>
  /** Its title and text; `null` when it has no text. */
  body: Found | null
  firstLine: number
  lastLine: number
  totalLines: number
  linkedFrom: { kind: string; title: string }[]
}

export type Draft = { id: string; summary: string }

/** An answer made here, for a call that cannot be sent. */
export const failure = (text: string): Answer => ({ isError: true, text, found: [] })

/** `nextIndex` counts the search results before this one and is told of each. */
export function readAnswer(content: unknown, isError: boolean, nextIndex: () => number): Answer {
  if (typeof content === 'string') return { isError, text: content, found: [] }
  const blocks: ContentBlock[] = Array.isArray(content) ? content : []
  const found = blocks.flatMap((block) =>
    block.type === 'search_result' ? readFound(block, nextIndex()) : [],
  )
  return { isError, text: blocks.map(textIn).filter(Boolean).join('\n'), found }
}

/** `null` for an answer that names no thing, such as an error. */
export function readThing(answer: Answer): Thing | null {
  const facts = answer.isError ? null : parseObject(answer.text)
  if (typeof facts?.kind !== 'string' || typeof facts.id !== 'string') return null
  const { kind, id, version: _version, lines, cut: _cut, linked_from, ...fields } = facts
  const range = /^(\d{1,9})-(\d{1,9}) of (\d{1,9})$/.exec(String(lines))

  return {
    kind: String(kind),
    id: String(id),
    fields,
    body: answer.found[0] ?? null,
    firstLine: Number(range?.[1] ?? 1),
    lastLine: Number(range?.[2] ?? 0),
    totalLines: Number(range?.[3] ?? 0),
    linkedFrom: readLinks(linked_from),
  }
}

/** `null` when nothing was drafted. */
export function readDraft(answer: Answer): Draft | null {
  const result = answer.isError ? null : parseObject(answer.text)
  if (typeof result?.entity_id !== 'string' || typeof result.summary !== 'string') return null
  return { id: result.entity_id, summary: result.summary }
}

function readFound(block: ContentBlock, index: number): Found[] {
  const source = 'source' in block ? String(block.source) : ''
  const named = parseSource(source)
  const content: unknown = 'content' in block ? block.content : null
  // What was said before is no source: it may be this companion's own answer.
  if (!named || named.entity_type === 'conversation' || !Array.isArray(content)) return []
  const title = 'title' in block ? String(block.title) : ''
  return [{ kind: named.entity_type, id: named.entity_id, title, source, blocks: content.map(textIn), index }]
}

function textIn(block: unknown): string {
  if (typeof block !== 'object' || block === null || !('text' in block)) return ''
  return typeof block.text === 'string' ? block.text : ''
}

/** The first line that is a JSON object: a notice that the result was cut may stand after it. */
function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.split('\n', 1)[0] ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

function readLinks(value: unknown): Thing['linkedFrom'] {
  if (!Array.isArray(value)) return []
  return value.flatMap((link: unknown) => {
    if (typeof link !== 'object' || link === null || !('title' in link)) return []
    return [{ kind: 'entity_type' in link ? String(link.entity_type) : 'page', title: String(link.title) }]
  })
}
