import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { deriveEffects, type Tool } from '../../../lib/ai/agent/registry.ts'
import type { Effect } from '../../../lib/contract/events/effects.ts'

const tool = (over: Partial<Tool>): Tool => ({
  name: 'fold',
  description: '',
  input: z.object({}),
  capability: 'read',
  actionClass: 'navigational',
  handler: async () => ({}),
  ...over,
})
const finished = {
  result: { title: 'Lamp' },
  input: { id: 'x' },
  summary: 'did it',
  draft: null,
  space_id: 'space-1',
}

describe('the effects of a finished call', () => {
  test('a navigational call is silent', () => {
    expect(deriveEffects(tool({}), finished)).toEqual([])
  })

  test('an additive call is told, once it has something to say', () => {
    expect(deriveEffects(tool({ actionClass: 'additive' }), finished)).toEqual([
      { type: 'notify', level: 'success', message: 'did it' },
    ])
    expect(deriveEffects(tool({ actionClass: 'additive' }), { ...finished, summary: null })).toEqual([])
  })

  test('a draft that adds is told by its card alone, by the class of the very call', () => {
    const actionClass = (input: unknown) => (input === 'add' ? 'additive' : 'destructive')
    const drafted = { ...finished, draft: { pending_change_id: 'draft-1' } }

    expect(deriveEffects(tool({ actionClass }), { ...drafted, input: 'add' })).toEqual([])
    expect(deriveEffects(tool({ actionClass }), { ...drafted, input: 'delete' })).toMatchObject([
      { type: 'confirm' },
    ])
  })

  test('any other draft asks for a word', () => {
    for (const actionClass of ['navigational', 'destructive'] as const) {
      expect(
        deriveEffects(tool({ actionClass }), { ...finished, draft: { pending_change_id: 'draft-1' } }),
      ).toEqual([{ type: 'confirm', pending_change_id: 'draft-1', summary: 'did it' }])
    }
  })

  test('a tool’s own effects come from its result and input, before the rest', () => {
    const own: Effect = { type: 'notify', level: 'info', message: 'own' }
    const effects: Tool['effects'] = (result, input, ctx) => {
      expect([result, input, ctx]).toEqual([{ title: 'Lamp' }, { id: 'x' }, { space_id: 'space-1' }])
      return [own]
    }

    expect(deriveEffects(tool({ effects, actionClass: 'additive' }), finished)).toEqual([
      own,
      { type: 'notify', level: 'success', message: 'did it' },
    ])
  })
})
