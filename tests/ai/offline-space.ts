// A Space in memory for the offline companion: a few things, a search by shared words, and a record of what was
// drafted.

import type { AgentEvent } from '../../lib/ai/agent/events.ts'
import { runTurn } from '../../lib/ai/agent/runtime.ts'
import type { FoundPassage, ReadResult, ToolServices } from '../../lib/ai/agent/services.ts'
import { createCompanionRegistry } from '../../lib/ai/agent/tools/index.ts'
import type { ModelMessage, TextCitation } from '../../lib/ai/model.ts'
import { createOfflineModel } from '../../lib/ai/offline/offline-model.ts'
import type { Proposal } from '../../lib/changes/propose/proposal.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { invalid } from '../../lib/core/errors.ts'
import { wordsOf } from '../../lib/core/text/words/words.ts'
import { draftedChange } from '../changes/card/draft-card.ts'
import { teaContext } from './tea-house.ts'

/** A Tuesday. */
export const today = new Date(2026, 2, 3, 10, 0)

type Thing = { kind: string; title: string; body?: string; fields?: Record<string, unknown> }

export const idOf = (index: number) => `0190a000-0000-7000-8000-${String(index).padStart(12, '0')}`

const skerry: Thing[] = [
  {
    kind: 'page',
    title: 'The lamp',
    body: 'The lamp turns once in twelve seconds.\n\nIt burns rapeseed oil.',
  },
  { kind: 'page', title: 'Stores', body: '# Stores\n\n- Rope\n- Paint\n' },
  { kind: 'page', title: 'Opening hours', body: 'Monday: 9 to 17\n\nClosed on Monday in July.' },
  {
    kind: 'task',
    title: 'Paint the gallery rail',
    fields: { status: 'open', priority: 'high', due_on: '2026-03-10' },
  },
  { kind: 'task', title: 'Oil the hinges', fields: { status: 'done', priority: 'normal', due_on: null } },
  { kind: 'project', title: 'Summer repairs', fields: { status: 'active' } },
  { kind: 'page', title: 'Paint' },
  { kind: 'task', title: 'Paint' },
  {
    kind: 'ref',
    title: 'Lamp oils',
    body: 'On burning oil.',
    fields: { url: 'https://example.org/oil', author: 'E. Holm' },
  },
]

export type Answer = {
  text: string
  calls: { name: string; args: unknown }[]
  drafts: Proposal[]
  citations: TextCitation[]
  messages: ModelMessage[]
  stopReason: string
}

type Options = {
  things?: Thing[]
  view?: string
  before?: ModelMessage[]
  refuse?: string
  maxIterations?: number
}

/** Sends a message to the offline companion in a turn of the real runtime; the answer and what was done for it. */
export async function send(text: string, options: Options = {}): Promise<Answer> {
  const { things = skerry, view, before = [], refuse, maxIterations } = options
  const drafts: Proposal[] = []
  const calls: Answer['calls'] = []
  const at = things.findIndex(({ title }) => title === view)
  const onEvent = (event: AgentEvent) => {
    const { type, data } = event
    if (type === 'tool' && data.status === 'running') calls.push({ name: data.tool, args: data.args })
  }
  const { messages, ...result } = await runTurn({
    callModel: createOfflineModel({ now: () => today }),
    registry: createCompanionRegistry(kinds.all),
    system: 'You are the companion.',
    messages: [...before, { role: 'user', content: text }],
    ctx: teaContext({
      view: at === -1 ? null : { entityType: things[at]!.kind, entityId: idOf(at) },
      services: servicesOver(things, drafts, refuse),
    }),
    onEvent,
    host: {
      onToolError: (_tool, error) => {
        throw error
      },
    },
    ...(maxIterations ? { maxIterations } : {}),
  })
  return {
    text: result.text,
    stopReason: result.stopReason,
    calls,
    drafts,
    messages,
    citations: citationsIn(messages),
  }
}

function servicesOver(things: Thing[], drafts: Proposal[], refuse?: string): ToolServices {
  return {
    search: async (_actor, { q, kinds: only }) => ({
      missing: [],
      passages: things
        .map((thing, index) => ({
          thing,
          index,
          score: sharedWords(q, `${thing.title} ${thing.body ?? ''}`),
        }))
        .filter(({ thing, score }) => score > 0 && (!only || only.includes(thing.kind)))
        .sort((a, b) => b.score - a.score)
        .slice(0, 8)
        .map(({ thing, index, score }) => toPassage(thing, index, score)),
    }),
    read: async (_actor, { id }) => {
      const index = things.findIndex((_, each) => idOf(each) === id)
      return toRead(things[index]!, index)
    },
    list: async (_actor, { kind, status }) => ({
      counts: { [kind ?? 'page']: things.length },
      items: things.flatMap(({ kind: of, title, fields = {} }, index) =>
        of === (kind ?? 'page') && (!status || fields.status === status)
          ? [{ kind: of, id: idOf(index), title, ...listedFields(fields), has_children: false }]
          : [],
      ),
      more: false,
    }),
    findByPath: async () => ({ kind: 'page', id: idOf(0) }),
    readView: async () => {
      throw invalid('There are no views here.')
    },
    name: async (_actor, { kind, id }) => ({
      kind,
      id,
      title: things.find((_, each) => idOf(each) === id)!.title,
      version: 1,
    }),
    outcomes: async () => [],
    findQuotedText: async () => null,
    propose: async (_actor, request) => {
      if (refuse) throw invalid(refuse)
      drafts.push(request)
      const { entity_type, action, payload } = request
      const entity_id = request.entity_id ?? idOf(900 + drafts.length)
      const row = { title: things.find((_, each) => idOf(each) === entity_id)?.title ?? '' }
      const id = idOf(800 + drafts.length)
      return draftedChange({ id, type: entity_type, action, entity_id, row, payload: payload ?? {} })
    },
    findOutsideTools: async () => ({ tools: [], matching: 0, total: 0, problems: [] }),
    callOutsideTool: async () => {
      throw invalid('There are no sources here.')
    },
    readOutsideResult: async () => {
      throw invalid('There are no sources here.')
    },
    searchMail: async () => [],
    readMailThread: async () => {
      throw invalid('There is no mail here.')
    },
    retract: async () => {
      throw invalid('Nothing is retracted here.')
    },
    revise: async () => {
      throw invalid('Nothing is revised here.')
    },
  }
}

const listedFields = ({ status, due_on }: Record<string, unknown>) => ({
  status: typeof status === 'string' ? status : null,
  due_on: typeof due_on === 'string' ? due_on : null,
})

function sharedWords(q: string, text: string): number {
  const words = new Set(wordsOf(text))
  return wordsOf(q).filter((word) => words.has(word)).length
}

const toPassage = ({ kind, title, body = '' }: Thing, index: number, score: number): FoundPassage => ({
  entity_type: kind,
  entity_id: idOf(index),
  title,
  heading_path: [],
  ordinal: 0,
  text: body,
  score,
  start_line: 1,
  end_line: body.split('\n').length,
})

function toRead({ kind, title, body = '', fields = {} }: Thing, index: number): ReadResult {
  const lines = body.split('\n').length
  const blocks = body.split(/\n\s*\n/).filter((block) => block.trim() !== '')
  return {
    ...{
      entity_type: kind,
      entity_id: idOf(index),
      title,
      version: 1,
      fields: { title, ...fields },
      blocks,
      block_lines: blocks.map((_, at) => at + 1),
    },
    ...{ from_line: 1, to_line: lines, total_lines: lines, cut: false, backlinks: [], origin: 'owner' },
  }
}

function citationsIn(messages: ModelMessage[]): TextCitation[] {
  return messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string'
      ? content.flatMap((block) =>
          'citations' in block && Array.isArray(block.citations) ? block.citations : [],
        )
      : [],
  )
}
