import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ContentBlock, ModelMessage } from '../../../lib/ai/model.ts'
import { createRequestEncoder } from '../../../lib/ai/models/encode-request.ts'

const decode = (bytes: Uint8Array): unknown =>
  JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string({ unit: 'grapheme' }) }),
  fc.record({ type: fc.constant('thinking'), signature: fc.string(), extra: fc.jsonValue() }),
)
const message: fc.Arbitrary<ModelMessage> = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const),
  content: fc.oneof(fc.string({ unit: 'grapheme' }), fc.array(block, { maxLength: 4 })),
})

test('a body is the JSON of its parameters, the first time and again with more behind it', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 6 }),
      message,
      fc.option(fc.array(fc.record({ name: fc.string(), input_schema: fc.object() })), { nil: undefined }),
      (messages, next, tools) => {
        const encode = createRequestEncoder()
        const params = { model: 'test', stream: true, system: '“Lamp”', ...(tools && { tools }) }
        const both = [messages, [...messages, next]].map((some) => ({ ...params, messages: some }))

        for (const one of both) expect(decode(encode(one))).toEqual(JSON.parse(JSON.stringify(one)))
      },
    ),
  )
})
