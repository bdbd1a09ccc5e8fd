import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BlameChange } from '../../../lib/contract/changes/blame.ts'
import { locatePassage } from '../../../public/page/blame/locate-passage.ts'
import { writersOf } from '../../../public/page/blame/show-blame.ts'

const find = (source: string, passage: string, before = '', after = '') => {
  const place = locatePassage(source, { before, passage, after })
  return place && source.slice(place.start, place.end)
}

describe('words that are read', () => {
  test('are found behind marks, links and tables', () => {
    expect(find('The **rent** is _410_ crowns.', 'The rent is 410 crowns.')).toBe(
      'The **rent** is _410_ crowns',
    )
    expect(find('See [the lease](https://x.example/a/b) first.', 'the lease first')).toBe(
      'the lease](https://x.example/a/b) first',
    )
    expect(find('| Oil | 40 |\n| --- | --- |\n| Brass | 7 |', 'Brass 7')).toBe('Brass | 7')
  })

  test('count whole where a selection begins or ends within one', () => {
    expect(find('The lighthouse keeper.', 'thouse kee', 'The ligh', 'per.')).toBe('lighthouse keeper')
  })

  test('that stand there more than once are told apart by what follows', () => {
    const source = '---\ntitle: The lamp\n---\n\nThe lamp turns. The lamp burns.'
    const place = locatePassage(source, { before: '', passage: 'The lamp', after: ' turns. The lamp burns.' })

    expect(place?.start).toBe(source.indexOf('The lamp turns'))
  })

  test('that do not stand there are not found', () => {
    expect(find('The lamp turns.', 'The lens turns')).toBeNull()
    expect(find('The lamp turns.', ' — ')).toBeNull()
  })

  test('of any plain text are found where they were taken from', () => {
    const words = fc.array(fc.constantFrom('lamp', 'oil', 'lens', 'the', 'brass'), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(), (all, a, b) => {
        const [from, to] = [a % all.length, b % all.length].toSorted((x, y) => x - y) as [number, number]
        const before = all
          .slice(0, from)
          .map((word) => `${word} `)
          .join('')
        const passage = all.slice(from, to + 1).join(' ')
        const after = all
          .slice(to + 1)
          .map((word) => ` ${word}`)
          .join('')

        const place = locatePassage(before + passage + after, { before, passage, after })

        expect((before + passage + after).slice(place!.start, place!.end)).toBe(passage)
      }),
    )
  })
})

test('who wrote a stretch is each change once, the latest first, without what is only space', () => {
  const change = (seq: number): BlameChange => ({
    seq,
    version: seq,
    at: '2031-01-01T00:00:00.000Z',
    actor: 'owner',
    action: 'update',
    outside: false,
    draft: null,
  })
  const pieces: [string, number | null][] = [
    ['The rent is ', 1],
    ['450', 3],
    [' crowns', 1],
    ['\n\n', 2],
    ['Older.', null],
  ]
  let start = 0
  const passages = pieces.map(([text, seq]) => {
    const passage = { start, end: start + text.length, line: 1, text, seq }
    start += text.length
    return passage
  })

  const wrote = writersOf({ passages, changes: [change(3), change(2), change(1)] }, { start: 4, end: start })

  expect(wrote.map(({ change, words }) => [change?.seq, words])).toEqual([
    [3, '450'],
    [1, 'rent is … crowns'],
    [undefined, 'Older.'],
  ])
})
