import { el } from '../../ui/dom.ts'
import type { ToolCall, Used } from '../state/turn-state.ts'
import { duration, figuresOf, summarizeTools } from './summarize-tools.ts'

/**
 * The tool calls of an answer, folded into a line that opens to the calls. What it used stands out only while the answer
 * is hovered or has the focus.
 */
export function renderToolActivity(
  calls: readonly ToolCall[],
  used: Used | null,
  { id, open }: { id: string; open: boolean },
): HTMLElement | null {
  if (calls.length === 0) {
    return used?.tokens ? el('p', { class: 'tools tools-line tools-alone' }, figures(calls, used)) : null
  }
  return el(
    'details',
    { class: 'tools', id, open },
    el('summary', { class: 'tools-line' }, summarizeTools(calls), ' ', figures(calls, used)),
    el('ol', { class: 'tools-calls' }, calls.map(renderCall)),
  )
}

const figures = (calls: readonly ToolCall[], used: Used | null): HTMLElement =>
  el('span', { class: 'tools-figures' }, figuresOf(calls, used))

function renderCall({ tool, tool_use_id, args, status, summary, duration_ms }: ToolCall): HTMLElement {
  return el(
    'li',
    { class: ['tool', status === 'error' && 'tool-failed'], 'data-call': tool_use_id },
    el(
      'p',
      { class: 'tool-head' },
      el('span', { class: 'tool-name' }, tool),
      status === 'running' ? 'running…' : duration(duration_ms),
    ),
    el('pre', { class: 'tool-args', tabindex: 0, 'aria-label': `Arguments of ${tool}` }, pretty(args)),
    summary && el('p', { class: 'tool-result' }, summary),
  )
}

/** Arguments as `name: value` lines; anything but an object as JSON. */
function pretty(args: unknown): string {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return JSON.stringify(args) ?? ''
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}
