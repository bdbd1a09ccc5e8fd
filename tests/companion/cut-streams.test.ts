// A proxy that cuts a reader's stream at ten thousand random bytes. Whoever comes back with the number of the last event
// that arrived whole ends up with what was said, byte for byte. It goes through the parts that a reader meets: the log's
// rows, the frames, and the client's reader.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstSeq, fromRow, type NumberedEvent, toRows } from '../../lib/companion/stream/turn-stream.ts'
import { createEventReader } from '../../lib/core/text/event-stream.ts'
import type { EventRow } from '../../lib/db/repos/turn_steps.ts'

const cuts = 10_000
const cutsPerRun = 10

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('\ud83d', '\ude00', '\r', '\n\n', 'data: x\n', '\u2028', 'é', '日本'),
)

/** A turn of any shape: its pieces of text, with other events in between. */
const turn = fc.array(
  fc.oneof({ weight: 5, arbitrary: piece }, { weight: 1, arbitrary: fc.constant(null) }),
  {
    minLength: 1,
    maxLength: 60,
  },
)

test('a reader that is cut off anywhere, again and again, assembles what was sent', () => {
  fc.assert(
    fc.property(
      turn,
      fc.array(fc.nat(), { minLength: cutsPerRun, maxLength: cutsPerRun }),
      fc.array(fc.nat(), { maxLength: 5 }),
      (pieces, places, flushes) => {
        const events = toEvents(pieces)
        const log = toLog(events, flushes)
        const reader = createReader()

        for (const place of places) {
          const bytes = serve(log, reader.after)
          reader.take(bytes.subarray(0, bytes.length === 0 ? 0 : place % bytes.length))
        }
        reader.take(serve(log, reader.after))

        expect(reader.text).toBe(pieces.join(''))
        expect(reader.after).toBe(events.at(-1)?.seq)
      },
    ),
    { numRuns: cuts / cutsPerRun },
  )
})

function toEvents(pieces: readonly (string | null)[]): NumberedEvent[] {
  const told = pieces.map((text, at): NumberedEvent => {
    const seq = at + 1
    if (text === null) return { type: 'status', seq, data: { message: 'A wait.' } }
    return { type: 'delta', seq, data: { text } }
  })
  return [...told, { type: 'status', seq: told.length + 1, data: { message: 'The end.' } }]
}

/** The rows of a log that was written in pieces, one of them twice, as after a connection that broke. */
function toLog(events: readonly NumberedEvent[], flushes: readonly number[]): EventRow[] {
  const places = flushes.map((place) => place % events.length).toSorted((a, b) => a - b)
  const bounds = [0, ...places, events.length]
  const rows = bounds.slice(1).flatMap((end, at) => toRows(events.slice(bounds[at], end)))
  const again = toRows(events.slice(bounds.at(-2)))
  const bySeq = new Map([...again, ...rows].map((row) => [row.seq, row]))
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq)
}

/** What a server sends to a reader that has had everything up to `after`. */
function serve(log: readonly EventRow[], after: number): Uint8Array {
  let seen = after
  let frames = ''
  for (const row of log.filter(({ seq }) => seq > after)) {
    expect(firstSeq(row)).toBeLessThanOrEqual(seen + 1)
    const { seq, type, data } = fromRow(row, seen)
    frames += `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
    seen = seq
  }
  return new TextEncoder().encode(frames)
}

function createReader() {
  const reader = {
    after: 0,
    text: '',
    /** One connection: what of it arrived, cut anywhere, also inside of a character. */
    take(bytes: Uint8Array): void {
      for (const { id, type, data } of createEventReader().push(bytes)) {
        reader.after = Number(id)
        if (type === 'delta') reader.text += JSON.parse(data).text
      }
    },
  }
  return reader
}
