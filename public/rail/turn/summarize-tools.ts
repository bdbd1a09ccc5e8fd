import type { ToolCall, Used } from '../state/turn-state.ts'

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
/** Tools whose calls are counted by their objects; of the others it is told how often. */
const byObject = ['read', 'propose_change']

/** What the companion did, in one line: "searched 2×, read 3". */
export function summarizeTools(calls: readonly ToolCall[]): string {
  const counts = new Map<string, number>()
  for (const { tool } of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1)
  const parts = [...counts].map(([tool, count]) => {
    const verb = past[tool] ?? tool.replaceAll('_', ' ')
    if (byObject.includes(tool)) return `${verb} ${count}`
    return count === 1 ? verb : `${verb} ${count}×`
  })
  const failed = calls.filter(({ status }) => status === 'error').length
  return [...parts, ...(failed > 0 ? [`${failed} failed`] : [])].join(', ')
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
