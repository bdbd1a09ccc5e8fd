import type { GivenMemory } from '../../../lib/contract/memory.ts'
import { showLine } from '../../../lib/core/text/quote-name.ts'
import { el } from '../../ui/dom.ts'
import type { ToolCall, Used } from '../state/turn-state.ts'

/** What an answer was made with, folded into a line that opens to the tool calls, the lines of memory, and what it took. */
export function renderToolActivity(
  calls: readonly ToolCall[],
  used: Used | null,
  { id, open, memory = [] }: { id: string; open: boolean; memory?: readonly GivenMemory[] },
): HTMLElement | null {
  if (calls.length === 0 && memory.length === 0) return null
  return el(
    'details',
    { class: 'tools', id, open },
    el('summary', { class: 'tools-line' }, calls.length > 0 ? summarizeTools(calls) : 'Used memory'),
    calls.length > 0 && el('ol', { class: 'tools-calls' }, calls.map(renderCall)),
    memory.length > 0 && renderMemory(memory),
    el('p', { class: 'tools-figures' }, figuresOf(calls, used)),
  )
}

function renderMemory(lines: readonly GivenMemory[]): HTMLElement {
  return el(
    'section',
    { class: 'tools-memory', 'aria-label': 'Memory given to this answer' },
    el('p', { class: 'tool-head' }, 'Memory'),
    el(
      'ul',
      {},
      lines.map(({ text, said, old }) =>
        el('li', {}, showLine(text, maxShown), ' ', el('span', { class: 'dim' }, factsOf(said, old))),
      ),
    ),
  )
}

/** Characters of a line that are shown. */
const maxShown = 300

const factsOf = (said: string | null, old: boolean): string =>
  [said ? said : 'written by hand', old && 'old'].filter(Boolean).join(', ')

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

/** What each tool of a companion did. */
export const past: Record<string, string> = {
  search: 'searched',
  read: 'read',
  context: 'checked the open view',
  propose_change: 'drafted',
  list: 'listed',
  open: 'arranged tabs',
  highlight: 'marked',
  find_tool: 'looked for tools',
  call_tool: 'used a tool',
  search_email: 'searched mail',
}

/** What the calls of a tool are counted by. */
const objects: Record<string, string> = { read: 'page', propose_change: 'change' }

/** What the companion did, in one line: "Searched and read 3 pages". */
export function summarizeTools(calls: readonly ToolCall[]): string {
  const counts = new Map<string, number>()
  for (const { tool } of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1)
  const parts = [...counts].map(([tool, count]) => {
    const verb = past[tool] ?? tool.replaceAll('_', ' ')
    const object = objects[tool]
    return object ? `${verb} ${count} ${count === 1 ? object : `${object}s`}` : verb
  })
  const last = parts.pop() ?? ''
  const words = parts.length > 0 ? `${parts.join(', ')} and ${last}` : last
  const failed = calls.filter(({ status }) => status === 'error').length
  const sentence = words.charAt(0).toUpperCase() + words.slice(1)
  return failed > 0 ? `${sentence}; ${failed} failed` : sentence
}

/** What it took: "1,240 tokens, 1.4 s". */
export function figuresOf(calls: readonly ToolCall[], used: Used | null = null): string {
  const ms = calls.reduce((sum, { duration_ms }) => sum + duration_ms, 0)
  const tokens = used?.tokens ? [`${used.tokens.toLocaleString('en-US')} tokens`] : []
  return [...tokens, duration(used?.duration_ms ?? ms)].join(', ')
}

/** "340 ms", "1.4 s", "2 min". */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 100_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.round(ms / 60_000)} min`
}
