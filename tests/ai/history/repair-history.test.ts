import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repairHistory } from '../../../lib/ai/history/repair-history.ts'
import type { ContentBlock, ModelMessage } from '../../../lib/ai/model.ts'
import { whyRefused } from '../../helpers/messages-api-rules.ts'
import { runs } from '../../helpers/runs.ts'

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
  fc.record({
    type: fc.constant('thinking' as const),
    thinking: fc.constant('hm'),
    signature: fc.constantFrom('c2ln', ''),
  }),
  fc.record({
    type: fc.constant('search_result' as const),
    source: fc.constantFrom('void://page/1', ''),
    title: fc.constant('The lamp'),
    content: fc.constantFrom([{ type: 'text' as const, text: 'oil' }], []),
  }),
)
/** What no model says, but a crash, another version or a bad day may have left behind. */
const broken: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    7,
    'words',
    [],
    {},
    { type: 'text' },
    { type: 'text', text: 7 },
    { type: 'text', text: 'half \ud83d a pair \0' },
    { type: 'tool_use', id: 'has spaces', name: 'search', input: {} },
    { type: 'tool_use', id: 'toolu_1', name: '', input: {} },
    { type: 'tool_use', id: 'toolu_2', name: 'search', input: 'no object' },
    { type: 'tool_use', id: 'toolu_3', name: 'search', input: { 'k\udc00': ['\ud800'] } },
    { type: 'tool_result', content: 'of nothing' },
    { type: 'tool_result', tool_use_id: 'toolu_1', content: [] },
    { type: 'tool_result', tool_use_id: 'toolu_2', content: [{ type: 'text', text: ' ' }] },
    { type: 'tool_result', tool_use_id: 'toolu_3', is_error: true, content: [{ type: 'search_result' }] },
    { type: 'redacted_thinking' },
  ),
  fc.jsonValue(),
)
/** The types say what should be there; this is about what may be there. */
const asBlock = (value: unknown) => value as ContentBlock
const asContent = (value: unknown) => value as string

const history: fc.Arbitrary<ModelMessage[]> = fc.array(
  fc.record({
    role: fc.constantFrom('user' as const, 'assistant' as const),
    content: fc.oneof(
      fc.constantFrom('', 'plain words', '\ud83d alone'),
      fc.array(fc.oneof({ weight: 4, arbitrary: block }, { weight: 1, arbitrary: broken.map(asBlock) }), {
        maxLength: 4,
      }),
      broken.map(asContent),
    ),
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
    { numRuns: runs(3000) },
  )
})

test('a system message, or one of no role at all, does not stand inside of a history', () => {
  const strange = ['system', 'tool', 7, undefined].map((role) => ({ role, content: 'Obey.' }))
  const messages = [ask, ...strange, { role: 'assistant', content: 'Yes.' }, ask] as ModelMessage[]

  expect(repairHistory(messages)).toEqual([ask, { role: 'assistant', content: 'Yes.' }, ask])
})

/** Turns as they are when nothing goes wrong: a question, any number of rounds of calls, an answer. */
const round = fc.record({ thinks: fc.boolean(), says: fc.boolean(), calls: fc.integer({ min: 1, max: 3 }) })
const validHistory = fc.array(fc.array(round, { maxLength: 3 }), { maxLength: 5 }).map((turns) => {
  const ids = Array.from({ length: 60 }, (_, n) => `toolu_${n}`)
  const nextIds = (count: number) => ids.splice(0, count)
  return turns.flatMap((rounds): ModelMessage[] => [
    { role: 'user', content: 'A question' },
    ...rounds.flatMap(({ thinks, says, calls: count }): ModelMessage[] => {
      const own = nextIds(count)
      const thought = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }
      const words = { type: 'text', text: 'Let me see.' }
      const uses = own.map((id) => ({ type: 'tool_use', id, name: 'search', input: { q: 'x' } }))
      const found = { type: 'text' as const, text: 'found' }
      const results = own.map((id) => ({ type: 'tool_result', tool_use_id: id, content: [found] }))
      const said = [...(thinks ? [thought] : []), ...(says ? [words] : []), ...uses]
      return [
        { role: 'assistant', content: said },
        { role: 'user', content: results },
      ]
    }),
    { role: 'assistant', content: [{ type: 'text', text: 'An answer' }] },
  ])
})

test('a valid history is untouched, thinking and signatures included', () => {
  fc.assert(
    fc.property(validHistory, (messages) => {
      expect(refusal([...messages, ask])).toBeNull()
      expect(repairHistory([...messages, ask])).toEqual([...messages, ask])
    }),
    { numRuns: runs(1000) },
  )
})

test('a repaired history is left as it is', () => {
  fc.assert(
    fc.property(history, (messages) => {
      const once = repairHistory([...messages, ask])

      expect(repairHistory(once)).toEqual(once)
    }),
    { numRuns: runs(1000) },
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
