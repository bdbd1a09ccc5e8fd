import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSseParser, readEvents, type ServerEvent } from '../../public/sse.ts'

const parse = (pieces: readonly string[]) => {
  const parser = createSseParser()
  return pieces.flatMap((piece) => parser.push(piece))
}

const lineEnd = fc.constantFrom('\n', '\r', '\r\n')
const word = fc.string().filter((text) => !/[\r\n\0\uFEFF]/.test(text) && !text.startsWith(' '))
const event = fc.record({
  id: word,
  type: word.filter((text) => text !== ''),
  data: fc.array(word, { minLength: 1 }),
})

const write = ({ id, type, data }: { id: string; type: string; data: string[] }, end: string) =>
  [`id: ${id}`, `event: ${type}`, ...data.map((line) => `data: ${line}`), ': a comment', '', ''].join(end)

/** The text cut at the given places. */
const cut = (text: string, places: readonly number[]) => {
  const borders = [
    0,
    ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b),
    text.length,
  ]
  return borders.slice(1).map((border, index) => text.slice(borders[index], border))
}

describe('server-sent events', () => {
  test('are the same, wherever the stream is cut and whichever line ends it uses', () => {
    fc.assert(
      fc.property(fc.array(event), lineEnd, fc.array(fc.nat()), (events, end, places) => {
        const wanted = events.map(({ id, type, data }): ServerEvent => ({ id, type, data: data.join('\n') }))

        const text = events.map((each) => write(each, end)).join('')

        expect(parse(cut(text, places))).toEqual(wanted)
      }),
    )
  })

  test('are the same, wherever the bytes are cut', async () => {
    const bytes = new TextEncoder().encode('event: delta\ndata: {"text":"Grüße 🗼"}\n\n')

    for (let at = 1; at < bytes.length; at += 1) {
      const body = new Blob([bytes.slice(0, at), bytes.slice(at)]).stream()
      const events = []
      for await (const each of readEvents(body)) events.push(each)
      expect(events).toEqual([{ id: '', type: 'delta', data: '{"text":"Grüße 🗼"}' }])
    }
  })

  test('keep the last id, and need data to be told', () => {
    const events = parse(['id: 7\ndata: one\n\n', 'event: empty\n\n', 'data: two\n\n'])

    expect(events).toEqual([
      { id: '7', type: 'message', data: 'one' },
      { id: '7', type: 'message', data: 'two' },
    ])
  })

  test('are told once, without the unfinished one at the end', () => {
    expect(parse(['\uFEFFdata: a\r', '\n\r', '\ndata: unfinished\n'])).toEqual([
      { id: '', type: 'message', data: 'a' },
    ])
  })
})
