import type { ToolCall, Used } from '../state/turn-state.ts'

const past: Record<string, string> = {
  search: 'searched',
  read: 'read',
  context: 'checked the open view',
  propose_change: 'drafted',
}
/** Tools whose calls are counted as `2×`; the others count their objects. */
const repeated = new Set(['search'])

/** What the companion did, in one line: "searched 2×, read 3, 1,240 tokens, 1.4 s". */
export function summarizeTools(calls: readonly ToolCall[], used: Used | null = null): string {
  const counts = new Map<string, number>()
  for (const { tool } of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1)
  const parts = [...counts].map(([tool, count]) => {
    const verb = past[tool] ?? tool.replaceAll('_', ' ')
    if (tool === 'context') return verb
    if (repeated.has(tool)) return count === 1 ? verb : `${verb} ${count}×`
    return tool in past ? `${verb} ${count}` : `${verb}${count === 1 ? '' : ` ${count}×`}`
  })
  const failed = calls.filter(({ status }) => status === 'error').length
  const ms = calls.reduce((sum, { duration_ms }) => sum + duration_ms, 0)
  const tokens = used?.tokens ? [`${used.tokens.toLocaleString('en-US')} tokens`] : []
  const failures = failed > 0 ? [`${failed} failed`] : []
  return [...parts, ...failures, ...tokens, duration(used?.duration_ms ?? ms)].join(', ')
}

/** What the last call does, while it is running. */
export function runningTool(calls: readonly ToolCall[]): string | null {
  const call = calls.findLast(({ status }) => status === 'running')
  if (!call) return null
  const now: Record<string, string> = {
    search: 'searching',
    read: 'reading',
    context: 'checking the open view',
    propose_change: 'drafting',
  }
  const query = queryOf(call.args)
  return `${now[call.tool] ?? call.tool.replaceAll('_', ' ')}${query ? ` “${query}”` : ''} …`
}

/** "340 ms", "1.4 s", "2 min". */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 100_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.round(ms / 60_000)} min`
}

function queryOf(args: unknown): string {
  const q: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, 'q') : null
  return typeof q === 'string' ? q.slice(0, 60) : ''
}
