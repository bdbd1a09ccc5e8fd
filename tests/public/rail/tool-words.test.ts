// Every tool that a call in the rail may be of has words for people: its name is not one of them.

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { companionRegistry, createAgentRegistry } from '../../../lib/ai/agent/tools/index.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import type { ToolCall } from '../../../public/rail/state/turn-state.ts'
import { summarizeTools } from '../../../public/rail/turn/tool-activity.ts'
import { describeCall } from '../../../public/rail/turn/tool-chips.ts'

const run = new URL('../../../lib/companion/research/run/', import.meta.url)
const inResearch = readdirSync(run).flatMap((file) =>
  [...readFileSync(new URL(file, run), 'utf8').matchAll(/(?:tool: |search\(|Tool = )'(\w+)'/g)].map(
    (match) => match[1]!,
  ),
)
const registered = [companionRegistry, createAgentRegistry(kinds.all)].flatMap((registry) =>
  registry.listTools().map(({ name }) => name),
)
const inRail = companionRegistry.listTools().map(({ name }) => name)
const names = [...new Set([...registered, ...inResearch])]

const call = (over: Partial<ToolCall>): ToolCall => ({
  tool: 'read',
  tool_use_id: 'a',
  args: {},
  status: 'done',
  summary: null,
  duration_ms: 1,
  ...over,
})

test('research and all registries are looked through', () => {
  expect(names).toEqual(expect.arrayContaining(['search', 'search_email', 'call_tool', 'model', 'changes']))
})

test.each(names)('%s has words for what it does and what it did', (tool) => {
  const running = describeCall(call({ tool, status: 'running' }))
  const done = describeCall(call({ tool }))

  expect(running).toMatch(/^[a-z ]+ing\b/)
  expect(running).not.toMatch(/^using (?!a tool)/)
  expect(done).not.toMatch(/^used (?!a tool)|_/)
  if (inRail.includes(tool)) expect(summarizeTools([call({ tool })])).toMatch(/^[A-Z][a-z]+(ed|t|d)?\b[^_]*$/)
})

test('an answer’s calls are one plain line, however often each was made', () => {
  const tools = (...names: string[]) => summarizeTools(names.map((tool) => call({ tool })))

  expect(tools('search', 'read', 'search', 'read', 'read')).toBe('Searched and read 3 pages')
  expect(tools('search', 'list', 'propose_change')).toBe('Searched, listed and drafted 1 change')
  expect(summarizeTools([call({}), call({ tool: 'search', status: 'error' })])).toBe(
    'Read 1 page and searched; 1 failed',
  )
})

test.each<[Partial<ToolCall>, string]>([
  [{ summary: '“Lease review”' }, 'read “Lease review”'],
  [{ status: 'running', args: { kind: 'page', id: 'x' } }, 'reading “page”'],
  [{ tool: 'search', args: { q: 'oil' }, summary: '3 passages' }, 'searched “oil”'],
  [{ tool: 'list', args: { kind: 'task' }, summary: '12' }, 'listed “task”'],
  [{ tool: 'propose_change', summary: 'Create task ‘Oil’' }, 'drafted Create task ‘Oil’'],
  [{ tool: 'search_email', args: { from: 'Ada' } }, 'searched mail “Ada”'],
  [{ tool: 'fetch_weather', args: null }, 'used fetch weather'],
  [{ tool: 'constructor', status: 'running' }, 'using constructor'],
  [{ tool: 'search', args: { q: 'x'.repeat(500) } }, `searched “${'x'.repeat(60)}…”`],
])('%j is “%s”', (over, words) => {
  expect(describeCall(call(over))).toBe(words)
})
