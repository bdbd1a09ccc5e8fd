import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ContentBlock, ModelMessage } from '../../lib/ai/model.ts'
import { repairHistory } from '../../lib/companion/repair-history.ts'
import { whyRefused } from '../helpers/messages-api-rules.ts'

const id = fc.constantFrom('toolu_1', 'toolu_2', 'toolu_3')
const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.constantFrom('', ' ', 'words', 'more words') }),
  fc.record({
    type: fc.constant('tool_use' as const),
    id,
    name: fc.constant('search'),
    input: fc.constant({ q: 'x' }),
  }),
  fc.record({ type: fc.constant('tool_result' as const), tool_use_id: id, content: fc.constant('found') }),
)
const history: fc.Arbitrary<ModelMessage[]> = fc.array(
  fc.record({
    role: fc.constantFrom('user' as const, 'assistant' as const),
    content: fc.oneof(fc.constantFrom('', 'plain words'), fc.array(block, { maxLength: 4 })),
  }),
  { maxLength: 8 },
)

const ask: ModelMessage = { role: 'user', content: 'The question' }

function refusal(messages: ModelMessage[]): string | null {
  const body = {
    model: 'm',
    max_tokens: 10,
    messages,
    tools: [{ name: 'search', input_schema: { type: 'object' } }],
  }
  return whyRefused(body, JSON.stringify(body)) ?? null
}

test('any history becomes one that the Messages API takes', () => {
  fc.assert(
    fc.property(history, (messages) => {
      expect(refusal(repairHistory([...messages, ask]))).toBeNull()
    }),
    { numRuns: 3000 },
  )
})

test('a repaired history is left as it is', () => {
  fc.assert(
    fc.property(history, (messages) => {
      const once = repairHistory([...messages, ask])

      expect(repairHistory(once)).toEqual(once)
    }),
    { numRuns: 1000 },
  )
})

test('the question is never lost', () => {
  fc.assert(
    fc.property(history, (messages) => {
      expect(JSON.stringify(repairHistory([...messages, ask]).at(-1))).toContain('The question')
    }),
  )
})

test('a call that was cut off is answered, and a result that answers nothing is dropped', () => {
  const repaired = repairHistory([
    { role: 'user', content: 'Look' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'search', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_9', content: 'stray' }] },
    ask,
  ])

  expect(repaired).toEqual([
    { role: 'user', content: 'Look' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'search', input: {} }] },
    {
      role: 'user',
      content: [
        expect.objectContaining({ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true }),
        { type: 'text', text: 'The question' },
      ],
    },
  ])
})
