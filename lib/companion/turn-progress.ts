// What a turn has come to, event by event. The recorder keeps it of the turn that runs, a resumption and a snapshot
// make it again from the log.

import type { Citation, ToolEvent } from '../contract/events.ts'
import type { LoggedEvent } from './logged-events.ts'

export type TurnProgress = {
  text: string
  tools: ToolEvent[]
  citations: Citation[]
  draftIds: string[]
  status: string | null
}

export const noProgress = (): TurnProgress => ({
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
    case 'snapshot': {
      const { text, tools, citations, draft_ids, status } = event.data
      Object.assign(progress, {
        text,
        tools: [...tools],
        citations: [...citations],
        draftIds: [...draft_ids],
        status,
      })
      return
    }
    default:
      progress.status = null
  }
}

function putTool(tools: ToolEvent[], tool: ToolEvent): void {
  const at = tools.findIndex(({ tool_use_id }) => tool_use_id === tool.tool_use_id)
  if (at === -1) tools.push(tool)
  else tools[at] = tool
}

/** The event that says all of it at once. */
export const toSnapshot = ({ draftIds, ...progress }: TurnProgress): LoggedEvent => ({
  type: 'snapshot',
  data: { ...progress, draft_ids: draftIds },
})
