// The Space that these tests play in: a tea house that keeps notes, and an agent that may read and suggest.

import { z } from 'zod'
import type { AgentEvent, TurnStep } from '../../lib/ai/agent/events.ts'
import {
  createRegistry,
  type Tool,
  type ToolContext,
  type ToolRegistry,
} from '../../lib/ai/agent/registry.ts'
import { runTurn, type TurnResult } from '../../lib/ai/agent/runtime.ts'
import type { TurnHost, TurnOptions } from '../../lib/ai/agent/turn.ts'
import type { ModelMessage } from '../../lib/ai/model.ts'
import type { AgentActor } from '../../lib/core/actor.ts'

export const leaf: AgentActor = {
  kind: 'agent',
  agent_id: 'agent-leaf',
  slug: 'leaf',
  capabilities: { read: true, suggest: true, write: false },
  spaces: ['tea-house'],
}

const unused = () => Promise.reject(new Error('These tools reach no service'))

export function teaContext(over: Partial<ToolContext> = {}): ToolContext {
  return {
    agent: { id: 'agent-leaf', slug: 'leaf', name: 'Leaf' },
    space_id: 'tea-house',
    view: null,
    actor: leaf,
    turn: { id: 'turn-1', conversation_id: 'conversation-1' },
    signal: new AbortController().signal,
    services: {
      search: unused,
      read: unused,
      list: unused,
      readView: unused,
      findByPath: unused,
      name: unused,
      findQuotedText: unused,
      outcomes: unused,
      propose: unused,
      findOutsideTools: unused,
      callOutsideTool: unused,
      readOutsideResult: unused,
      searchMail: unused,
      readMailThread: unused,
      retract: unused,
      revise: unused,
    },
    ...over,
  }
}

type Draft = { pending_change_id: string; title: string }

/** `search` finds one line; `propose` stores a draft named after the call. */
export const search: Tool<{ q: string }, { found: string }> = {
  name: 'search',
  description: 'Find notes by words.',
  input: z.object({ q: z.string().min(1) }),
  capability: 'read',
  actionClass: 'navigational',
  handler: async ({ q }) => ({ found: `Notes on ${q}` }),
  render: ({ found }) => found,
  summarize: ({ found }, { q }) => `${q}: ${found}`,
}

export const propose: Tool<{ title: string }, Draft> = {
  name: 'propose',
  description: 'Draft a page.',
  input: z.object({ title: z.string() }),
  capability: 'create',
  actionClass: 'additive',
  handler: async ({ title }, ctx) => ({ pending_change_id: `draft-${ctx.tool_use_id}`, title }),
  summarize: ({ title }) => `Draft: ${title}`,
  target: ({ title }) => ({ entity_type: 'page', entity_id: title }),
}

/** The `search` tool with another handler. */
export const searching = (handler: typeof search.handler): Tool<{ q: string }, { found: string }> => ({
  ...search,
  handler,
})

function registryOf(...tools: ((registry: ToolRegistry) => void)[]): ToolRegistry {
  const registry = createRegistry()
  for (const add of tools) add(registry)
  return registry
}

export const teaRegistry = (searchTool: Tool<{ q: string }, { found: string }> = search): ToolRegistry =>
  registryOf(
    (registry) => registry.registerTool(searchTool),
    (registry) => registry.registerTool(propose),
  )

export const question: ModelMessage[] = [{ role: 'user', content: 'Which tea is green?' }]

export type Told = { result: TurnResult; events: AgentEvent[]; steps: TurnStep[]; toolErrors: unknown[] }

/** Runs a turn at a clock that stands still, and keeps all that it tells. */
export async function tellTurn(
  options: Partial<TurnOptions & TurnHost> & Pick<TurnOptions, 'callModel'>,
): Promise<Told> {
  const events: AgentEvent[] = []
  const steps: TurnStep[] = []
  const toolErrors: unknown[] = []
  const { callModel, maxIterations, signal, limits, onEvent, onStep, ...host } = options
  const result = await runTurn({
    callModel,
    registry: options.registry ?? teaRegistry(),
    system: 'You keep the tea house.',
    messages: options.messages ?? question,
    ctx: options.ctx ?? teaContext(),
    ...(maxIterations === undefined ? {} : { maxIterations }),
    ...(signal ? { signal } : {}),
    ...(limits ? { limits } : {}),
    onEvent: (event) => {
      events.push(event)
      onEvent?.(event)
    },
    host: {
      now: () => 0,
      onToolError: (_tool, error) => toolErrors.push(error),
      ...host,
      onStep: async (step) => {
        steps.push(step)
        await onStep?.(step)
      },
    },
  })
  return { result, events, steps, toolErrors }
}
