import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventParser, type ServerSentEvent } from '../../lib/ai/event-parser.ts'

function parse(chunks: Uint8Array[]): ServerSentEvent[] {
  const parser = createEventParser()
  return chunks.flatMap((chunk) => parser.push(chunk))
}

const bytes = (text: string) => new TextEncoder().encode(text)

test('events come with their type and data, comments and unknown fields do not', () => {
  const stream =
    '\uFEFF: hello\nevent: ping\ndata: {}\n\nid: 7\nretry: 3\ndata:one\ndata: two\n\nevent: empty\n\n'

  expect(parse([bytes(stream)])).toEqual([
    { event: 'ping', data: '{}' },
    { event: '', data: 'one\ntwo' },
  ])
})

test('an event that was not finished is not told', () => {
  expect(parse([bytes('data: whole\n\ndata: half\n')])).toEqual([{ event: '', data: 'whole' }])
})

test('wherever the chunks are cut, and however lines end, the events are the same', () => {
  const event = fc.record({
    event: fc.constantFrom('ping', 'content_block_delta'),
    data: fc.string({ unit: 'binary' }).map((text) => JSON.stringify({ text })),
  })
  const cuts = fc.array(fc.nat({ max: 400 }))

  fc.assert(
    fc.property(fc.array(event), cuts, fc.constantFrom('\n', '\r\n', '\r'), (events, places, end) => {
      const lines = events.flatMap(({ event: type, data }) => [`event: ${type}`, `data: ${data}`, ''])
      const all = bytes(`${lines.join(end)}${end}: the end`)
      const edges = [0, ...places.filter((place) => place < all.length).sort((a, b) => a - b), all.length]
      const chunks = edges.slice(1).map((edge, i) => all.subarray(edges[i], edge))

      expect(parse(chunks)).toEqual(events)
    }),
  )
})
