// What a model has been given in a conversation, read off the very messages that it gets: so nothing it has seen is
// missing, whichever turn or tool it came from.

import { z } from 'zod'
import { parseSource } from '../ai/agent/sources.ts'
import type { ContentBlock, ModelMessage } from '../ai/model.ts'
import type { GivenText } from '../changes/given-texts.ts'
import { ownTools } from '../changes/untrusted.ts'

export type ReadingLog = {
  /** Notes the sources in messages that the model is given, and the calls in those that it wrote. */
  admit(messages: readonly ModelMessage[]): void
  /** Whether the entity was among them. */
  has(entity: { entity_type: string; entity_id: string }): boolean
  /** All of it, in the order in which it came. */
  list(): GivenText[]
}

type Entry = GivenText & { texts: string[] }

/** The line of facts above a text that was read: there even when the text is empty. */
const facts = z.object({ kind: z.string(), id: z.uuid(), title: z.string().optional() })
const search_result = z.object({
  source: z.string(),
  title: z.string().default(''),
  content: z.array(z.unknown()),
})
/** A line of what `list` gives. */
const listed = /^([a-z_]{1,40}) ([0-9a-f-]{36}) “(.*)”/
const text = z.object({ text: z.string() })
const tool_result = z.object({
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
})

export function createReadingLog(): ReadingLog {
  const entries = new Map<string, Entry>()
  const toolOf = new Map<string, string>()

  return {
    admit(messages) {
      for (const { content } of messages) {
        if (typeof content === 'string') continue
        for (const block of content) admitBlock(block)
      }
    },
    has: (entity) => entries.has(keyOf(entity)),
    list: () => [...entries.values()],
  }

  function admitBlock(block: ContentBlock): void {
    if (block.type === 'tool_use' && 'id' in block && 'name' in block)
      toolOf.set(String(block.id), String(block.name))
    if (block.type === 'search_result') admitPassage(block, 'read')
    const result = block.type === 'tool_result' ? tool_result.safeParse(block).data : undefined
    if (result) admitResult(toolOf.get(result.tool_use_id) ?? null, result.content ?? [])
  }

  function admitResult(tool: string | null, content: string | readonly { type: string }[]): void {
    if (tool !== null && !ownTools.has(tool)) {
      const outside = { entity_type: 'tool', entity_id: tool, title: tool, given_by: 'tool' as const }
      note(outside, textsIn(typeof content === 'string' ? [{ text: content }] : content))
      return
    }
    if (tool === 'list') admitList(typeof content === 'string' ? [content] : textsIn(content))
    if (typeof content === 'string') return
    const given_by = tool === 'search' ? 'search' : tool === 'context' ? 'view' : 'read'
    for (const block of content) {
      if (block.type === 'search_result') admitPassage(block, given_by)
      if (block.type === 'text' && tool !== 'propose_change') admitFacts(block, given_by)
    }
  }

  // A list gives names only, and a name can say enough.
  function admitList(texts: readonly string[]): void {
    for (const line of texts.join('\n').split('\n')) {
      const [, entity_type, entity_id, title] = listed.exec(line) ?? []
      if (entity_type && entity_id && title)
        note({ entity_type, entity_id, title, given_by: 'search' }, [title])
    }
  }

  function admitPassage(block: unknown, given_by: GivenText['given_by']): void {
    const passage = search_result.safeParse(block).data
    const source = passage && parseSource(passage.source)
    if (source) note({ ...source, title: passage.title, given_by }, textsIn(passage.content))
  }

  function admitFacts(block: unknown, given_by: GivenText['given_by']): void {
    const read = facts.safeParse(parseJson(text.safeParse(block).data?.text ?? '')).data
    if (read) note({ entity_type: read.kind, entity_id: read.id, title: read.title ?? '', given_by }, [])
  }

  function note(
    { entity_type, entity_id, title, given_by }: Omit<GivenText, 'texts'>,
    texts: string[],
  ): void {
    const key = keyOf({ entity_type, entity_id })
    const entry = entries.get(key) ?? { entity_type, entity_id, title, given_by, texts: [] }
    entry.texts.push(...texts)
    // What was opened is more than what was found.
    if (entry.given_by === 'search') entry.given_by = given_by
    entries.set(key, entry)
  }
}

const keyOf = ({ entity_type, entity_id }: { entity_type: string; entity_id: string }) =>
  `${entity_type}/${entity_id}`

const textsIn = (blocks: readonly unknown[]): string[] =>
  blocks.flatMap((block) => text.safeParse(block).data?.text ?? [])

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return null
  }
}
