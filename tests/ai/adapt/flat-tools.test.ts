// Alternatives in the description of a tool, for servers that take none.

import { expect, test } from 'vitest'
import { flattenTool } from '../../../lib/ai/adapt/flat-tools.ts'
import { companionRegistry } from '../../../lib/ai/agent/tools/index.ts'
import { proposalFields } from '../../../lib/contract/entities/kind.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'

const tools = companionRegistry.toAnthropicTools()

test('a flat payload has the fields of all kinds, and says which are whose', () => {
  const propose = tools.find(({ name }) => name === 'propose_change')!
  const { payload } = flattenTool(propose).input_schema.properties as {
    payload: { type: string; description: string; properties: Record<string, { description?: string }> }
  }

  expect(payload).not.toHaveProperty('anyOf')
  expect(payload.type).toBe('object')
  for (const kind of kinds.all.filter(({ proposable }) => proposable)) {
    const line = payload.description.split('\n').find((each) => each.startsWith(`${kind.type}: `))
    for (const name of Object.keys(proposalFields(kind).fields.shape).filter((each) => each !== 'position')) {
      expect(line).toContain(name)
      expect(payload.properties[name]?.description).toBeTruthy()
    }
  }
  expect(payload.properties.status?.description).toMatch(/project: .*on_hold.*task: .*in_progress/)
})

test('other tools are sent as they are', () => {
  for (const tool of tools.filter(({ name }) => name !== 'propose_change'))
    expect(flattenTool(tool)).toBe(tool)
})
