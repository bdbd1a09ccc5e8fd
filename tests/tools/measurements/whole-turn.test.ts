// A server that skips a part of the turn must not look fast in `npm run bench`.

import { describe, expect, it } from 'vitest'
import {
  answerDeltas,
  answerText,
  checkWholeTurn,
  ownEvents,
  uiMessageStream,
  type Wire,
} from '../bench/answer.ts'

const size = answerText.length / answerDeltas
const pieces = Array.from({ length: answerDeltas }, (_, n) => answerText.slice(n * size, (n + 1) * size))

const wires: Record<string, { wire: Wire; tool: string; text: (piece: string) => string }> = {
  'events of Void': {
    wire: ownEvents,
    tool: 'id: 1\nevent: tool\ndata: {"status":"done"}',
    text: (text) => `id: 2\nevent: delta\ndata: ${JSON.stringify({ text })}`,
  },
  'the UI message stream': {
    wire: uiMessageStream,
    tool: 'data: {"type":"tool-output-available"}',
    text: (delta) => `data: ${JSON.stringify({ type: 'text-delta', delta })}`,
  },
}

describe.each(Object.entries(wires))('a turn as %s', (_, { wire, tool, text }) => {
  const frames = pieces.map(text)

  it('is whole with two tools and every delta', () => {
    expect(() => checkWholeTurn([tool, tool, ...frames], wire)).not.toThrow()
  })

  it.each([
    ['without its second tool', [tool, ...frames], /1 results/],
    ['without its last delta', [tool, tool, ...frames.slice(0, -1)], /not the answer/],
    ['with other words', [tool, tool, ...frames.slice(1), text('other')], /not the answer/],
    ['in one piece', [tool, tool, text(answerText)], /1 pieces instead of 200/],
    ['without anything', [], /0 results/],
  ])('is refused %s', (_name, sent, reason) => {
    expect(() => checkWholeTurn(sent, wire)).toThrow(reason)
  })
})
