import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keptSpans } from '../../../lib/changes/blame/kept-spans.ts'
import { beginTrace, createTextTrace } from '../../../lib/changes/blame/trace-text.ts'
import { runs } from '../../helpers/runs.ts'

/** The versions of a text, the first one first; an undo names the number of the change that it takes back. */
type Version = { text: string; undoes?: number; since?: number }

/** Who wrote what, as `[seq, text]`; change number n made version n, counted from 1. */
function blame(versions: readonly Version[], range: [start?: number, end?: number] = []) {
  const text = versions.at(-1)?.text ?? ''
  const trace = createTextTrace(beginTrace(text, ...range))
  for (let seq = versions.length; seq > 0 && !trace.isDone(); seq -= 1) {
    const { undoes, since } = versions[seq - 1]!
    const undoes_from = since ?? undoes ?? null
    const restored = undoes_from === null ? null : (versions[undoes_from - 2]?.text ?? null)
    trace.step({ seq, before: versions[seq - 2]?.text ?? '', undoes_from }, restored)
  }
  return trace.result().map(({ start, length, seq }) => [seq, text.slice(start, start + length)])
}

const of = (...texts: string[]): Version[] => texts.map((text) => ({ text }))

describe('who wrote a text', () => {
  test('a line belongs to the change that brought it', () => {
    expect(blame(of('The lamp turns.\n', 'The lamp turns.\nIt burns oil.\n'))).toEqual([
      [1, 'The lamp turns.\n'],
      [2, 'It burns oil.\n'],
    ])
  })

  test('of a line that was changed in part, only the words that changed are new', () => {
    expect(blame(of('The rent is 410 crowns a month.\n', 'The rent is 450 crowns a month.\n'))).toEqual([
      [1, 'The rent is '],
      [2, '450'],
      [1, ' crowns a month.\n'],
    ])
  })

  test('what an undo gives back belongs to whoever wrote it first, and a redo likewise', () => {
    const [first, second] = ['The lamp burns rapeseed oil.\n', 'Nobody knows what is burnt.\n']

    expect(blame([...of(first, second), { text: first, undoes: 2 }])).toEqual([[1, first]])
    expect(blame([...of(first, second), { text: first, undoes: 2 }, { text: second, undoes: 3 }])).toEqual([
      [2, second],
    ])
  })

  test('an undo of a run gives back the text before the first of it, and keeps what came later', () => {
    const versions = [
      ...of('Oil.\nBrass and copper.\n', 'Brass and copper.\n', 'Glass.\n', 'Glass.\nA new lens.\n'),
      { text: 'Oil.\nBrass and copper.\nA new lens.\n', undoes: 3, since: 2 },
    ]

    expect(blame(versions)).toEqual([
      [1, 'Oil.\nBrass and copper.\n'],
      [4, 'A new lens.\n'],
    ])
  })

  test('a line that was moved belongs to whoever wrote it, not to whoever moved it', () => {
    const [oil, lens] = ['The tank holds forty litres of oil.', 'The lens was ground in Marseille in 1893.']

    expect(blame(of(`${oil}\n${lens}\n`, `${lens}\nNew.\n${oil}`))).toEqual([
      [1, `${lens}\n`],
      [2, 'New.\n'],
      [1, oil],
    ])
  })

  test('what is older than what is looked at belongs to nobody', () => {
    const trace = createTextTrace(beginTrace('Old.\nNew.\n'))

    trace.step({ seq: 9, before: 'Old.\n', undoes_from: null }, null)

    expect(trace.isDone()).toBe(false)
    expect(trace.result()).toEqual([
      { start: 0, length: 5, seq: null },
      { start: 5, length: 5, seq: 9 },
    ])
  })

  test('a part of the text is followed alone', () => {
    const text = 'The rent is 450 crowns a month.\n'

    expect(blame(of('The rent is 410 crowns a month.\n', text), [9, 16])).toEqual([
      [1, 'is '],
      [2, '450'],
      [1, ' '],
    ])
  })
})

const word = fc.constantFrom(
  'lamp',
  'oil',
  'lens',
  'a',
  'the',
  ' ',
  '\n',
  '\n',
  '\r\n',
  '😀',
  '| x |',
  '---\n',
)
const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(''))

test('kept spans are the same words on both sides, in order, and never overlap', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      let end = 0
      for (const span of keptSpans(before, after)) {
        expect(span.after).toBeGreaterThanOrEqual(end)
        end = span.after + span.length
        expect(end).toBeLessThanOrEqual(after.length)
        expect(after.slice(span.after, end)).toBe(before.slice(span.before, span.before + span.length))
      }
    }),
    { numRuns: runs(2000) },
  )
})

test('every character is accounted for, in order, whatever was changed and taken back', () => {
  const version = fc.record(
    { text, undoes: fc.nat(8).map((n) => n + 1), since: fc.nat(8).map((n) => n + 1) },
    { requiredKeys: ['text'] },
  )
  fc.assert(
    fc.property(fc.array(version, { minLength: 1, maxLength: 8 }), (made) => {
      const versions = made.map(({ text, undoes, since }, index) =>
        undoes !== undefined && undoes <= index
          ? { text, undoes, ...(since !== undefined && since <= undoes ? { since } : {}) }
          : { text },
      )

      const passages = blame(versions)

      expect(passages.map(([, words]) => words).join('')).toBe(versions.at(-1)!.text)
      expect(passages.every(([seq]) => seq !== null)).toBe(true)
    }),
    { numRuns: runs(1500) },
  )
})

test('of lines that are added, replaced and dropped, blame says what a list of their writers says', () => {
  const edit = fc.record({ at: fc.nat(30), does: fc.constantFrom('add', 'replace', 'drop') })
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 25 }), (edits) => {
      // The oracle: each line with its writer. No two lines have a word in common.
      const lines: { seq: number; text: string }[] = []
      const versions = edits.map(({ at, does }, index) => {
        const seq = index + 1
        const words = Array.from({ length: 6 }, (_, n) => `w${seq}x${n}`).join('-')
        const place = at % (lines.length + 1)
        if (does === 'drop') lines.splice(place, 1)
        else lines.splice(place, does === 'add' ? 0 : 1, { seq, text: `${words.replaceAll('-', '')}\n` })
        return { text: lines.map(({ text }) => text).join('') }
      })

      const byLine = blame(versions).flatMap(([seq, words]) =>
        String(words)
          .split(/(?<=\n)/)
          .map((line) => ({ seq, text: line })),
      )

      expect(byLine.filter(({ text }) => text !== '')).toEqual(lines)
    }),
    { numRuns: runs(1000) },
  )
})
