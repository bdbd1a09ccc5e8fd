// The second stage: the main model reads mail and the Space with the registry's reading tools and ends with
// finalize_glance. Nothing of it is stored as a conversation, and nothing it can call changes anything. What it says is
// only a proposal: code decides.

import { z } from 'zod'
import type { Tool, ToolRegistry } from '../../../ai/agent/registry.ts'
import { runTurn } from '../../../ai/agent/runtime.ts'
import type { ToolServices } from '../../../ai/agent/services.ts'
import type { CallModel, ContentBlock, ToolResultBlock } from '../../../ai/model.ts'
import { prompts } from '../../../ai/prompts/prompts.ts'
import type { GlanceImage, GlanceReason } from '../../../contract/companion/glance.ts'
import type { AgentActor } from '../../../core/actor.ts'
import { type Candidate, imageBlock } from './triage.ts'

/** What it found, as it says. */
export type Found = {
  /** Words of the mail. */
  ask: string
  kind: (typeof kinds)[number]
  /** Words of the mail that say by when; null: none. */
  due: string | null
  /** Its own sentence, which is recorded, not shown. */
  note: string | null
  thread_id: string | undefined
}

export type Analysis = {
  /** What it would say; or why there is nothing. */
  outcome: Found | GlanceReason
  /** All that its tools gave it to read. */
  read: string
  /** Names of the tools that it called, in order, those included that there are not. */
  tools: string[]
}

export type AnalystRequest = {
  callModel: CallModel
  /** The companion's tools, of which it gets those that read. */
  registry: ToolRegistry
  services: ToolServices
  agent: { id: string; slug: string; name: string }
  space_id: string
  candidate: Candidate
  seen: { title: string; text: string; image: GlanceImage | null }
  /** The owner's latest conversations. */
  conversations: readonly { title: string; summary: string }[]
  today: string
  /** Wall clock. */
  maxMs: number
  signal: AbortSignal
}

export const analystTools = ['search_email', 'read_email_thread', 'search', 'read'] as const
/** A call of the model and a round of its tools are two steps. */
const maxModelCalls = 4
const maxTokens = 1000
const maxRead = 400_000

/** Never rejects; when it resolves, no call of it is under way. */
export async function analyze(request: AnalystRequest): Promise<Analysis> {
  const { space_id, agent, services } = request
  const ended = new AbortController()
  const found: { input: Input | null; calls: number; read: string } = { input: null, calls: 0, read: '' }
  const registry = readingTools(request.registry, (input) => {
    found.input ??= input
    ended.abort()
  })
  const signal = AbortSignal.any([request.signal, ended.signal])
  let modelCalls = 0
  try {
    const result = await runTurn({
      callModel: async (asked) => {
        modelCalls += 1
        return await request.callModel({ ...asked, maxTokens })
      },
      registry,
      system: prompts['glance-analyst'].text,
      messages: [{ role: 'user', content: describe(request) }],
      ctx: { agent, space_id, view: null, actor: readerOf(agent, space_id), turn: null, signal, services },
      onEvent: () => {},
      maxIterations: maxModelCalls,
      limits: { wallClockMs: request.maxMs, calls: 16 },
      host: {
        refuseCall: async () => (modelCalls < maxModelCalls ? null : 'No steps are left.'),
        onStep: async (step) => {
          if (step.type === 'message')
            found.calls += step.content.filter((block) => 'name' in block && block.name === finalName).length
          if (step.type === 'tool_result' && step.call.status === 'done' && found.read.length < maxRead)
            found.read += `${textOf(step.result)}\n\n`
        },
      },
    })
    const tools = result.toolTrace.map(({ tool }) => tool.slice(0, 100))
    const failure = result.stopReason === 'time_limit' ? 'timed_out' : result.error ? 'analyst_failed' : null
    return { outcome: readOutcome(found, failure), read: found.read, tools }
  } catch {
    return { outcome: 'analyst_failed', read: '', tools: [] }
  } finally {
    ended.abort()
  }
}

function readOutcome(
  { input, calls }: { input: Input | null; calls: number },
  failure: GlanceReason | null,
): Found | GlanceReason {
  if (!input || calls > 1) return failure ?? 'analyst_undecided'
  if (!input.surface) return 'analyst_silent'
  const { ask, kind = 'request', due, note, thread_id } = input
  if (!ask?.trim()) return 'no_message'
  return {
    ask,
    kind,
    due: due?.trim() || null,
    note: note?.slice(0, maxNote).toWellFormed() ?? null,
    thread_id,
  }
}

const maxNote = 500

const kinds = ['question', 'request', 'deadline', 'decision'] as const

type Input = {
  surface: boolean
  ask?: string | undefined
  kind?: (typeof kinds)[number] | undefined
  due?: string | undefined
  note?: string | undefined
  thread_id?: string | undefined
}

const finalName = 'finalize_glance'

/** Those of the companion's tools that only read, and the one that ends it. */
function readingTools(registry: ToolRegistry, onFinal: (input: Input) => void): ToolRegistry {
  const capabilities = { read: true, suggest: false, write: false }
  const reading = registry.ofCompanion({ tools: analystTools, capabilities })
  const final: Tool<Input, { recorded: true }> = {
    name: finalName,
    description: 'End with what you found. Call it once, last.',
    input: z.object({
      surface: z.boolean().describe('Whether to say something to the owner'),
      ask: z.string().max(2000).optional().describe('The sentence of the mail that asks, word for word'),
      kind: z.enum(kinds).optional().describe('What the owner is asked for'),
      due: z.string().max(200).optional().describe('The words of the mail that say by when'),
      note: z.string().max(2000).optional().describe('Why it needs the owner, in a sentence'),
      thread_id: z.uuid().optional().describe('The thread that it is about'),
    }),
    capability: 'read',
    actionClass: 'navigational',
    handler: async (input) => {
      onFinal(input)
      return { recorded: true }
    },
    given: () => [],
  }
  reading.registerTool(final)
  return reading
}

const readerOf = ({ id, slug }: AnalystRequest['agent'], spaceId: string): AgentActor => ({
  kind: 'agent',
  agent_id: id,
  slug,
  capabilities: { read: true, suggest: false, write: false },
  spaces: [spaceId],
})

const textOf = ({ content }: ToolResultBlock): string =>
  typeof content === 'string'
    ? content
    : content
        .map((block) =>
          block.type === 'text'
            ? block.text
            : [block.title, ...block.content.map(({ text }) => text)].join('\n'),
        )
        .join('\n')

function describe({ candidate, seen, conversations, today }: AnalystRequest): ContentBlock[] {
  const in_view = { title: seen.title, text: seen.text }
  const text = JSON.stringify({ today, in_view, mail: candidate, conversations })
  return [...(seen.image ? [imageBlock(seen.image)] : []), { type: 'text', text }]
}
