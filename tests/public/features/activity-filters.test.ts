import { expect, test } from 'vitest'
import { companionRegistry, createAgentRegistry } from '../../../lib/ai/agent/tools/index.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { toolNames } from '../../../public/features/activity/activity.ts'

test('the activity can be narrowed to every tool that anyone is offered', () => {
  const registries = [companionRegistry, createAgentRegistry(kinds.all)]
  const offered = new Set(registries.flatMap((registry) => registry.listTools().map(({ name }) => name)))

  expect([...toolNames].sort()).toEqual([...offered].sort())
})
