// Days that a text names, in the languages that chrono-node reads.

import { de, en, es, fr, it, ja, nl, pt, ru, sv, uk, zh } from 'chrono-node'

const readers = [en.GB, de, fr, es, it, pt, nl, sv, ru, uk, ja, zh]

const maxLength = 200

/** The days named in a short text, counted from a time, as YYYY-MM-DD; a longer text names none. */
export function readDays(text: string, from: Date): string[] {
  if (text.length > maxLength) return []
  const days = readers.flatMap((reader) =>
    reader
      .parse(text, from, { forwardDate: true })
      .flatMap(({ start }) =>
        start.isCertain('day') || start.isCertain('weekday') ? [start.date().toISOString().slice(0, 10)] : [],
      ),
  )
  return [...new Set(days)]
}
