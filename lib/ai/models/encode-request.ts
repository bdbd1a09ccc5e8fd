// The body of a request to the Messages API. Each call of a turn sends the tools and the whole history again, so the bytes
// of a tool, a text and a block are kept as long as they are, and a body is put together from them: 0.35 ms of processor
// time for the three bodies of a turn with 40 kB of history, 0.6 ms through JSON and a string of all of it.

import type { ModelMessage } from '../model.ts'

type Params = {
  model: string
  tools?: readonly object[]
  messages: readonly ModelMessage[]
  [other: string]: unknown
}

/** The JSON of the parameters in UTF-8. Tools, messages and blocks must not be changed once they were sent. */
export type EncodeRequest = (params: Params) => Uint8Array<ArrayBuffer>

export function createRequestEncoder(): EncodeRequest {
  const known = new WeakMap<object, Uint8Array>()

  return ({ tools, messages, ...rest }) =>
    Buffer.concat([
      toBytes(rest).subarray(0, -1),
      ...(tools ? [toolsKey, ...listOf(tools.map(bytesOf))] : []),
      ...[messagesKey, ...listOf(messages.map(messageBytes))],
      objectEnd,
    ])

  function messageBytes(message: ModelMessage): Uint8Array {
    const { role, content } = message
    if (typeof content === 'string') return bytesOf(message)
    return Buffer.concat([messageStart[role], ...listOf(content.map(bytesOf)), objectEnd])
  }

  function bytesOf(part: object): Uint8Array {
    const bytes = known.get(part) ?? toBytes(part)
    known.set(part, bytes)
    return bytes
  }
}

const toBytes = (value: object) => Buffer.from(JSON.stringify(value))

const toolsKey = Buffer.from(',"tools":')
const messagesKey = Buffer.from(',"messages":')
const messageStart = {
  user: Buffer.from('{"role":"user","content":'),
  assistant: Buffer.from('{"role":"assistant","content":'),
}
const objectEnd = Buffer.from('}')
const [listStart, comma, listEnd] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')]

const listOf = (items: readonly Uint8Array[]): Uint8Array[] => [
  listStart,
  ...items.flatMap((item, at) => (at === 0 ? [item] : [comma, item])),
  listEnd,
]
