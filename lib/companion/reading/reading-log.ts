// What a model has been given to read, as far as its messages show: for the provenance of drafts, and as evidence for
// what it says.

import { z } from 'zod'
import { formatSource, parseSource, type Source } from '../../ai/agent/sources.ts'
import { isText, isToolUse } from '../../ai/history/normalize-response.ts'
import type { ContentBlock, ModelMessage } from '../../ai/model.ts'
import type { Given, GivenText } from '../../changes/grounding/provenance.ts'
import { createTextMatcher } from '../../core/text/words/holds-text.ts'
import type { GivenSource } from '../../db/repos/turn_steps.ts'
import { isResearchBlock } from '../prompt/load-history.ts'

/**
 * By the id of the call; `null` for a result whose tool declared nothing. A result that is not among them is Void's
 * own: an error in place of the result of a call that never ran.
 */
export type DeclaredSources = ReadonlyMap<string, readonly GivenSource[] | null>

export type ReadingLog = {
  /**
   * Records what these messages gave, and the names of the calls in those that the model wrote. Only what came in the
   * turn that is running is evidence.
   */
  admit(messages: readonly ModelMessage[], declared: DeclaredSources, from: 'history' | 'turn'): void
  /**
   * Records sources whose words the messages repeat without a tool's result. They are no evidence. `composed`: words in
   * the owner's messages that Void put there, which are not what the owner said.
   */
  admitOutside(sources: readonly GivenText[], composed?: readonly string[]): void
  evidence: Evidence
  /** Whether these words are a title that was given, or the owner's own. */
  isName(words: string): boolean
  /** All of it, in the order in which it came. */
  list(): Given
}

type Entry = GivenText & { texts: string[]; in_turn: boolean }

const textBlock = z.object({ text: z.string() })
const search_result = z.object({
  source: z.string(),
  title: z.string().default(''),
  content: z.array(z.unknown()),
})
const tool_result = z.object({
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
})

/** Names that a call has for what it is about. */
const titled = z.object({
  title: z.string().optional(),
  payload: z.object({ title: z.string().optional() }).optional(),
})

export function createReadingLog(): ReadingLog {
  const toolOf = new Map<string, string>()
  const evidence = createEvidence()
  const names = new Set<string>()
  const entries = createEntries(names)
  const { add } = entries
  const unsaid: string[] = []
  const said: { text: string; holds: (words: string) => boolean }[] = []

  return {
    evidence,
    admit(messages, declared, from) {
      for (const { role, content } of messages) {
        if (role === 'assistant') admitCalls(toParts(content))
        else for (const block of toParts(content)) admitGiven(block, declared, from)
      }
    },
    admitOutside(sources, composed = []) {
      for (const { texts, in_turn = true, ...source } of sources)
        add(source, [...texts], in_turn ? 'turn' : 'history')
      // The names in it are the sender's words, also where the owner wrote on.
      for (const text of composed.filter(Boolean)) unsaid.push(text, ...(text.match(/“[^“”]+”/g) ?? []))
    },
    isName: (words) => names.has(toName(words)) || said.some(({ holds }) => holds(words.toLowerCase())),
    list: () => ({
      sources: entries.all(),
      said: said
        .map(({ text }) => unsaid.reduce((rest, words) => rest.replaceAll(words, ' '), text))
        .filter((text) => !madeByVoid.test(text)),
    }),
  }

  /** What else a model writes gives it nothing to read. */
  function admitCalls(blocks: readonly ContentBlock[]): void {
    for (const block of blocks.filter(isToolUse)) {
      toolOf.set(block.id, block.name)
      const { data } = titled.safeParse(block.input)
      for (const title of [data?.title, data?.payload?.title]) if (title) names.add(toName(title))
    }
  }

  function admitGiven(block: ContentBlock, declared: DeclaredSources, from: 'history' | 'turn'): void {
    if (isText(block) && !isResearchBlock(block.text))
      said.push({ text: block.text, holds: createTextMatcher([block.text.toLowerCase()]) })
    const result = block.type === 'tool_result' ? tool_result.safeParse(block).data : undefined
    if (!result) return
    const { tool_use_id, content = [] } = result
    const parts = toParts(content)
    const sources = declared.get(tool_use_id)
    if (sources) admitDeclared(sources, parts, from)
    else if (sources === null) admitUndeclared(toolOf.get(tool_use_id) ?? 'unknown', parts, from)
  }

  function admitDeclared(
    sources: readonly GivenSource[],
    parts: readonly { type: string }[],
    from: 'history' | 'turn',
  ): void {
    for (const source of sources) add(source, [], from)
    for (const part of parts) {
      if (part.type === 'search_result') admitPassage(part, from)
    }
    // A name alone can carry an instruction, too.
    for (const source of sources) {
      const entry = entries.find(source)
      if (entry?.texts.length === 0) entry.texts.push(source.title)
    }
  }

  /** Nobody vouches for it: the whole result is text from outside, and no source that it names counts. */
  function admitUndeclared(tool: string, parts: readonly unknown[], from: 'history' | 'turn'): void {
    add({ entity_type: 'tool', entity_id: tool, title: tool, given_by: 'tool' }, textsIn(parts), from)
  }

  function admitPassage(block: unknown, from: 'history' | 'turn'): void {
    const passage = search_result.safeParse(block).data
    const source = passage && parseSource(passage.source)
    if (!source) return
    const known = entries.find(source)
    const texts = textsIn(passage.content)
    if (from === 'turn') evidence.add(source, texts)
    for (const name of passage.title.split(' › ')) names.add(toName(name))
    if (known) known.texts.push(...texts)
    else add({ ...source, title: passage.title, given_by: 'read' }, texts, from)
  }
}

/** Each source once, with all that was given of it. */
function createEntries(names: Set<string>) {
  const entries = new Map<string, Entry>()

  return {
    all: () => [...entries.values()],
    find: (source: { entity_type: string; entity_id: string }) => entries.get(keyOf(source)),
    add,
  }

  function add(
    { entity_type, entity_id, title, given_by }: GivenSource,
    texts: string[],
    from: 'history' | 'turn',
  ): void {
    const key = keyOf({ entity_type, entity_id })
    names.add(toName(title))
    const entry = entries.get(key) ?? { entity_type, entity_id, title, given_by, texts: [], in_turn: false }
    entry.texts.push(...texts)
    entry.in_turn ||= from === 'turn'
    if (entry.title === '') entry.title = title
    // What was opened is more than what was found.
    if (entry.given_by === 'search') entry.given_by = given_by
    entries.set(key, entry)
  }
}

/** Blocks beside the owner's words: a digest, research, what became of drafts. */
const madeByVoid = /^<(?:earlier_conversation|earlier_research|draft_outcomes|attached_images|message_time)>/

const toParts = <Part extends { type: string }>(content: string | readonly Part[]) =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

const toName = (text: string): string => text.trim().toLowerCase()

const keyOf = ({ entity_type, entity_id }: { entity_type: string; entity_id: string }) =>
  `${entity_type}/${entity_id}`

const textsIn = (blocks: readonly unknown[]): string[] =>
  blocks.flatMap((block) => textBlock.safeParse(block).data?.text ?? [])

/** The passages that tools returned in one turn: all that a citation can rest on. */
type Evidence = {
  add(source: Source, blocks: readonly string[]): void
  /** Whether a passage of that source, the very one where it names one, contains the words. */
  holds(source: Source, words: string): boolean
  /** The source with a passage that contains quoted words, whatever their case and emphasis; `null` for none. */
  find(words: string): Source | null
}

type Passage = {
  source: Source
  holds: (words: string) => boolean
  holdsQuoted: (words: string) => boolean
}

/** An own conversation is no evidence: what the companion says there is not known to be true. */
function createEvidence(): Evidence {
  const passages = new Map<string, Passage[]>()

  return {
    add(source, blocks) {
      if (source.entity_type === 'conversation') return
      const passage = {
        source,
        holds: createTextMatcher(blocks),
        holdsQuoted: createTextMatcher(blocks.map(toQuoted)),
      }
      const whole = formatSource({ ...source, ordinal: null })
      for (const key of new Set([formatSource(source), whole])) {
        const known = passages.get(key)
        if (known) known.push(passage)
        else passages.set(key, [passage])
      }
    },
    holds: (source, words) =>
      (passages.get(formatSource(source)) ?? []).some((passage) => passage.holds(words)),
    find(words) {
      const wanted = toQuoted(words)
      for (const each of passages.values()) {
        const found = each.find(({ holdsQuoted }) => holdsQuoted(wanted))
        if (found) return found.source
      }
      return null
    },
  }
}

/** Struck words keep their marks: they are not what the text says. */
const toQuoted = (text: string): string => text.replace(/[*_`]/g, '').toLowerCase()
