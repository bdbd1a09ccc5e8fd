// The tool calls of an answer while it is being written, one by one with what they are about. They fold into one line at
// its end.

import { el } from '../../ui/dom.ts'
import type { ToolCall } from '../state/turn-state.ts'
import { past } from './tool-activity.ts'

/** Of tools that no answer's line has other words for: those of outside agents, and a step of research. */
const alsoPast = {
  read_email_thread: 'read mail',
  changes: 'checked drafts',
  revise_change: 'revised',
  withdraw_change: 'withdrew',
  model: 'asked the model',
  verify_claims: 'checked claims',
  research: 'researched',
}

const did = new Map(Object.entries({ ...past, ...alsoPast }))
const does = new Map(
  Object.entries({
    search: 'searching',
    read: 'reading',
    context: 'checking the open view',
    propose_change: 'drafting',
    list: 'listing',
    open: 'arranging tabs',
    highlight: 'marking',
    find_tool: 'looking for tools',
    call_tool: 'using a tool',
    search_email: 'searching mail',
    read_email_thread: 'reading mail',
    changes: 'checking drafts',
    revise_change: 'revising',
    withdraw_change: 'withdrawing',
    model: 'asking the model',
    verify_claims: 'checking claims',
    research: 'researching',
  }),
)

/** Tools whose result says what the call was about; the others say it in their arguments, as far as they do. */
const bySummary = new Set([
  'read',
  'context',
  'highlight',
  'open',
  'propose_change',
  'read_email_thread',
  'call_tool',
])

/** The arguments that name what a call is about, the most telling first. */
const naming = ['q', 'tool', 'kind', 'from', 'subject']
const maxObject = 60

export const renderToolChips = (calls: readonly ToolCall[]): HTMLElement =>
  el(
    'ul',
    { class: 'tools row', 'aria-label': 'Tool activity' },
    calls.map((call) =>
      el(
        'li',
        { class: 'badge tool-chip', 'data-status': call.status, 'data-call': call.tool_use_id },
        describeCall(call),
        call.status === 'error' && ' failed',
      ),
    ),
  )

/** "read “Lease review”", "searching “oil”". */
export function describeCall({ tool, args, status, summary }: ToolCall): string {
  const isDone = status === 'done'
  const plain = `${isDone ? 'used' : 'using'} ${tool.replaceAll('_', ' ')}`
  const words = (isDone ? did : does).get(tool) ?? plain
  const result = isDone && bySummary.has(tool) ? summary : null
  const object = result ?? nameIn(args)
  if (!object) return words
  const short = object.length > maxObject ? `${object.slice(0, maxObject).toWellFormed()}…` : object
  return `${words} ${result ? short : `“${short}”`}`
}

function nameIn(args: unknown): string {
  if (typeof args !== 'object' || args === null) return ''
  const values = naming.map((name): unknown => Reflect.get(args, name))
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? ''
}
