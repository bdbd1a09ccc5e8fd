// What a turn has come to, event by event. The loop adds to it as it emits; a resumption and a snapshot make it again
// from the log.

import type {
  Citation,
  ToolEvent,
  ToolTraceEntry,
  TurnEvent,
  TurnSnapshot,
} from '../../contract/events/events.ts'
import type { ResearchEvent } from '../../contract/research.ts'

/** A turn's event as its log holds it: a draft is its id alone, because whoever reads it later sees the current card. */
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
  /** The stages of research that it carried, each as it is now; left out: none. */
  research?: ResearchEvent[]
}

export const emptyProgress = (): TurnProgress => ({
  text: '',
  tools: [],
  citations: [],
  draftIds: [],
  status: null,
})

/** Adds an event to `progress`, in place. */
export function addProgress(progress: TurnProgress, event: LoggedEvent): void {
  switch (event.type) {
    case 'delta':
      progress.text += event.data.text
      progress.status = null
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

/** The calls as they are stored with the answer. One that never finished is not part of what was done. */
export function toolTrace({ tools }: Pick<TurnProgress, 'tools'>): ToolTraceEntry[] {
  return tools.flatMap(({ status, summary, duration_ms = 0, ...call }) =>
    status === 'running' ? [] : [{ ...call, status, summary: summary || null, duration_ms }],
  )
}

/** The last of each stage, in the order in which they began. */
const withStage = (stages: readonly ResearchEvent[], event: ResearchEvent): ResearchEvent[] => [
  ...stages.filter(({ stage }) => stage !== event.stage),
  event,
]

function putTool(tools: ToolEvent[], tool: ToolEvent): void {
  const at = tools.findIndex(({ tool_use_id }) => tool_use_id === tool.tool_use_id)
  if (at === -1) tools.push(tool)
  else tools[at] = tool
}

/** The event that states all of it at once. */
export const toSnapshot = ({ draftIds, ...progress }: TurnProgress): LoggedEvent => ({
  type: 'snapshot',
  data: { ...progress, draft_ids: draftIds },
})
