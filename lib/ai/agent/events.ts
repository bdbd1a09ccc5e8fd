// The events of a turn: what the loop emits (the wire's own events), the steps that durability needs, and the progress that
// events add up to. The loop adds to the progress as it emits; a resumption and a snapshot rebuild it from the log.

import type {
  Citation,
  Thinking,
  ToolEvent,
  ToolTraceEntry,
  TurnEvent,
  TurnSnapshot,
} from '../../contract/events/events.ts'
import type { ResearchEvent } from '../../contract/research.ts'
import type { GivenSource } from '../../db/repos/turn_steps.ts'
import type { ContentBlock, ModelMessage, ModelResponse, ToolResultBlock } from '../model.ts'
import type { ToolTarget } from './registry.ts'

export type AgentEvent = Extract<
  TurnEvent,
  { type: 'delta' | 'thinking' | 'thought' | 'tool' | 'draft' | 'citation' | 'effect' | 'status' }
>

/** A finished piece of work, which a resumed turn does not repeat. Each is awaited before the next begins. */
export type TurnStep =
  /** A whole message of the model. `content` is what can be sent back, and may differ from `response.content`. */
  | { type: 'message'; content: ContentBlock[]; response: ModelResponse }
  | ToolResultStep
  /** Everything before this was replaced by `messages`. */
  | { type: 'compaction'; messages: ModelMessage[] }

export type ToolResultStep = {
  type: 'tool_result'
  result: ToolResultBlock
  call: ToolTraceEntry
  target: ToolTarget | null
  /** The sources that the result gave the model to read; `null` when the tool declares none. */
  given: GivenSource[] | null
}

/** A turn's event as its log stores it: a draft is only its id, because later readers see the current card. */
export type LoggedEvent =
  | Exclude<TurnEvent, { type: 'draft' | 'snapshot' }>
  | { type: 'draft'; data: { pending_change_id: string } }
  | { type: 'snapshot'; data: Omit<TurnSnapshot, 'drafts'> & { draft_ids: string[] } }

export type TurnProgress = {
  text: string
  tools: ToolEvent[]
  citations: Citation[]
  draftIds: string[]
  status: string | null
  /** Default: none. */
  thinking?: Thinking
  /** The current state of each research stage. Default: no research. */
  research?: ResearchEvent[]
}

export const emptyProgress = (): TurnProgress => ({
  text: '',
  tools: [],
  citations: [],
  draftIds: [],
  status: null,
})

const noThinking: Thinking = { text: '', duration_ms: 0 }

/** Adds an event to `progress`, in place. */
export function addProgress(progress: TurnProgress, event: LoggedEvent): void {
  switch (event.type) {
    case 'delta':
      progress.text += event.data.text
      progress.status = null
      return
    case 'thinking': {
      const { text, duration_ms } = progress.thinking ?? noThinking
      progress.thinking = { text: text + event.data.text, duration_ms }
      progress.status = null
      return
    }
    case 'thought':
      progress.thinking = { ...(progress.thinking ?? noThinking), ...event.data }
      return
    case 'tool':
      putTool(progress.tools, event.data)
      progress.status = null
      return
    case 'citation':
      progress.citations.push(event.data)
      return
    case 'draft':
      progress.draftIds.push(event.data.pending_change_id)
      return
    case 'status':
      progress.status = event.data.message
      return
    case 'research':
      progress.research = withStage(progress.research ?? [], event.data)
      return
    case 'snapshot': {
      const { draft_ids, tools, citations, ...rest } = event.data
      Object.assign(progress, {
        ...rest,
        tools: [...tools],
        citations: [...citations],
        draftIds: [...draft_ids],
      })
      return
    }
    default:
      progress.status = null
  }
}

/** The finished calls, as they are stored with the answer. */
export function toolTrace({ tools }: Pick<TurnProgress, 'tools'>): ToolTraceEntry[] {
  return tools.flatMap(({ status, summary, duration_ms = 0, ...call }) =>
    status === 'running' ? [] : [{ ...call, status, summary: summary || null, duration_ms }],
  )
}

/** The latest event of each stage, in the order in which the stages began last, with the time of all its rounds. */
function withStage(stages: readonly ResearchEvent[], event: ResearchEvent): ResearchEvent[] {
  const before = stages.find(({ stage }) => stage === event.stage)?.duration_ms
  const duration_ms = before === undefined ? event.duration_ms : before + (event.duration_ms ?? 0)
  return [
    ...stages.filter(({ stage }) => stage !== event.stage),
    duration_ms === undefined ? event : { ...event, duration_ms },
  ]
}

function putTool(tools: ToolEvent[], tool: ToolEvent): void {
  const at = tools.findIndex(({ tool_use_id }) => tool_use_id === tool.tool_use_id)
  if (at === -1) tools.push(tool)
  else tools[at] = tool
}

/** The event that carries the whole progress. */
export const toSnapshot = ({ draftIds, ...progress }: TurnProgress): LoggedEvent => ({
  type: 'snapshot',
  data: { ...progress, draft_ids: draftIds },
})
