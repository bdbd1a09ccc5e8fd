import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createEventReader,
  maxEventLength,
  readEvents,
  type ServerEvent,
} from '../../../lib/core/text/event-stream.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function read(chunks: readonly Uint8Array[]): ServerEvent[] {
  const reader = createEventReader()
  return chunks.flatMap((chunk) => reader.push(chunk))
}

const word = fc.string({ unit: 'binary' }).filter((text) => !/[\r\n\0\uFEFF]|^ /.test(text))
const event = fc.record({
  id: word,
  type: word.filter((text) => text !== ''),
  data: fc.array(word, { minLength: 1 }),
})

const write = ({ id, type, data }: { id: string; type: string; data: string[] }, end: string) =>
  [`id: ${id}`, `event: ${type}`, ...data.map((line) => `data: ${line}`), ': a comment', '', ''].join(end)

/** The bytes cut at the given places, also inside of a character. */
function cut(all: Uint8Array, places: readonly number[]): Uint8Array[] {
  const edges = [0, ...places.map((place) => place % (all.length + 1)).toSorted((a, b) => a - b), all.length]
  return edges.slice(1).map((edge, index) => all.subarray(edges[index], edge))
}

describe('server-sent events', () => {
  test('are the same, wherever the bytes are cut and however lines end', () => {
    const lineEnd = fc.constantFrom('\n', '\r', '\r\n')
    fc.assert(
      fc.property(fc.array(event), lineEnd, fc.array(fc.nat()), (events, end, places) => {
        const wanted = events.map(({ id, type, data }) => ({ id, type, data: data.join('\n') }))

        const all = bytes(events.map((each) => write(each, end)).join(''))

        expect(read(cut(all, places))).toEqual(wanted.map((each) => JSON.parse(utf8(JSON.stringify(each)))))
      }),
    )
  })

  test('come out of a body that is cut anywhere', async () => {
    const all = bytes('event: delta\ndata: {"text":"Grüße 🗼"}\n\n')

    for (let at = 1; at < all.length; at += 1) {
      const body = new Blob([all.slice(0, at), all.slice(at)]).stream()

      const events = await Array.fromAsync(readEvents(body))

      expect(events).toEqual([{ id: '', type: 'delta', data: '{"text":"Grüße 🗼"}' }])
    }
  })

  test('come with their type and data; comments, retries and unknown fields do not', () => {
    const stream =
      '\uFEFF: hello\nevent: ping\ndata: {}\n\nretry: 3\nretry: soon\nweather: fair\ndata:one\ndata: two\n\nevent: empty\n\n'

    expect(read([bytes(stream)])).toEqual([
      { id: '', type: 'ping', data: '{}' },
      { id: '', type: 'message', data: 'one\ntwo' },
    ])
  })

  test('keep the last id, also that of an event without data, and none with a NUL', () => {
    const stream = 'id: 7\ndata: one\n\nevent: empty\n\ndata: two\n\nid: 8\n\nid: 9\0\ndata: three\n\n'

    expect(read([bytes(stream)])).toEqual([
      { id: '7', type: 'message', data: 'one' },
      { id: '7', type: 'message', data: 'two' },
      { id: '8', type: 'message', data: 'three' },
    ])
  })

  test('come once, without the unfinished one at the end', () => {
    expect(read(['\uFEFFdata: a\r', '\n\r', '\ndata: unfinished\n'].map(bytes))).toEqual([
      { id: '', type: 'message', data: 'a' },
    ])
  })

  test('may be large, in many chunks', () => {
    const data = 'x'.repeat(8 * 1024 * 1024)
    const all = bytes(`data: ${data}\n\n`)
    const places = Array.from({ length: 2000 }, (_, n) => n * 4096)

    expect(read(cut(all, places))).toEqual([{ id: '', type: 'message', data }])
  })

  test.each([
    ['line', 'x'.repeat(1024 * 1024)],
    ['event of many lines', `${'x'.repeat(64 * 1024)}\ndata: `.repeat(16)],
  ])('without an end are refused: a %s', (_, piece) => {
    const reader = createEventReader()
    reader.push(bytes('data: '))

    const flood = () => {
      for (let sent = 0; sent <= maxEventLength; sent += 1024 * 1024) reader.push(bytes(piece))
    }

    expect(flood).toThrow(SyntaxError)
  })
})

/** As the text comes out of UTF-8, where half a surrogate pair cannot be written. */
const utf8 = (text: string) => new TextDecoder().decode(bytes(text))
