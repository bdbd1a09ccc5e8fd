import { describe, expect, test } from 'vitest'
import type { Card, CardField, CardHunk, DiffPart } from '../../lib/contract/card.ts'
import { chosenParts, countParts, type Tick } from '../../public/card/choose.ts'
import { counts, splitParts } from '../../public/card/text.ts'

const hunk = (index: number) => ({ index }) as CardHunk
const field = (name: string, hunks = 0) =>
  ({
    name,
    text: hunks > 0 ? { hunks: Array.from({ length: hunks }, (_, index) => hunk(index)) } : null,
  }) as CardField
const card = (...fields: CardField[]) =>
  ({ fields, operation: 'update' }) as Pick<Card, 'fields' | 'operation'>
const tick = (name: string, index: number | null, taken = true): Tick => ({ field: name, hunk: index, taken })

describe('the parts that are chosen', () => {
  const lease = card(field('title'), field('body', 3))
  const all = [tick('title', null), tick('body', 0), tick('body', 1), tick('body', 2)]

  test('with every box ticked the whole draft is meant', () => {
    expect(chosenParts(lease, all)).toEqual({})
  })

  test('a field without its box is left out, a text goes by its hunks', () => {
    const ticks = [tick('title', null, false), tick('body', 0), tick('body', 1, false), tick('body', 2)]

    expect(chosenParts(lease, ticks)).toEqual({ fields: ['body'], hunks: { body: [0, 2] } })
  })

  test('a field that has no box is taken', () => {
    expect(chosenParts(card(field('title'), field('body')), [tick('body', null, false)])).toEqual({
      fields: ['title'],
    })
  })

  test('with nothing ticked there is nothing to approve', () => {
    expect(
      chosenParts(
        lease,
        all.map((each) => ({ ...each, taken: false })),
      ),
    ).toBeNull()
  })

  test('are counted by hunks where a text changes, and not at all for a deletion', () => {
    expect(countParts(lease)).toBe(4)
    expect(countParts({ ...lease, operation: 'create' })).toBe(2)
    expect(countParts({ ...lease, operation: 'delete' })).toBe(0)
  })
})

describe('a long change', () => {
  const part = (kind: DiffPart['kind'], lines: number): DiffPart => ({
    kind,
    text: 'x\n'.repeat(lines),
    folded: 0,
  })

  test('is folded at a line’s end, and nothing of it is lost', () => {
    const parts = [part('removed', 10), part('added', 100)]

    const [open, rest] = splitParts(parts, 24)

    const text = [...open, ...rest].map((each) => each.text).join('')
    expect(text).toBe(parts.map((each) => each.text).join(''))
    expect(open.map(({ text: shown }) => shown.length)).toEqual([20, 30])
    expect(rest).toMatchObject([{ kind: 'added' }])
  })

  test('stays whole when only a few lines would be hidden', () => {
    expect(splitParts([part('added', 26)], 24)).toEqual([[part('added', 26)], []])
  })
})

test.each([
  [3, 0, '+3 words'],
  [0, 1, '−1 word'],
  [2, 5, '+2 −5 words'],
  [0, 0, 'no words'],
])('%i added and %i removed are “%s”', (words_added, words_removed, expected) => {
  expect(counts({ words_added, words_removed, lines_added: 0, lines_removed: 0 })).toBe(expected)
})
