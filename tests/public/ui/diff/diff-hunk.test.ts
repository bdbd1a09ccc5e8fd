import { describe, expect, test } from 'vitest'
import { describeCounts, type ShownPart, splitParts } from '../../../../public/ui/diff/diff-hunk.ts'

describe('a long change', () => {
  const part = (kind: ShownPart['kind'], lines: number): ShownPart => ({
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
  expect(describeCounts({ words_added, words_removed })).toBe(expected)
})
