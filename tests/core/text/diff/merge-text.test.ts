import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeText } from '../../../../lib/core/text/diff/merge-text.ts'
import { runs } from '../../../helpers/runs.ts'

const line = fc.constantFrom(
  'a\n',
  'b\n',
  'c\r\n',
  '\n',
  '__proto__\n',
  '<<<<<<< mine\n',
  'ü𝒳\n',
  'constructor\n',
)
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', 'no end', 'a'))
  .map(([lines, last]) => lines.join('') + last)

test('a side that changed nothing leaves the other one as it is', () => {
  fc.assert(
    fc.property(text, text, (base, other) => {
      expect(mergeText({ base, current: base, draft: other })).toEqual({ text: other, conflicts: [] })
      expect(mergeText({ base, current: other, draft: base })).toEqual({ text: other, conflicts: [] })
      expect(mergeText({ base, current: other, draft: other })).toEqual({ text: other, conflicts: [] })
    }),
    { numRuns: runs(2000) },
  )
})

test('each conflict stands where it says, with the current side in the text', () => {
  fc.assert(
    fc.property(text, text, text, (base, current, draft) => {
      const merged = mergeText({ base, current, draft })

      let end = 0
      for (const conflict of merged.conflicts) {
        expect(merged.text.slice(conflict.at, conflict.at + conflict.current.length)).toBe(conflict.current)
        expect(conflict.at).toBeGreaterThanOrEqual(end)
        end = conflict.at + conflict.current.length
        expect(base).toContain(conflict.base)
        expect(draft).toContain(conflict.draft)
        expect(conflict.current).not.toBe(conflict.draft)
      }
    }),
    { numRuns: runs(5000) },
  )
})

test('edits that are apart all arrive, wherever they are', () => {
  const lines = Array.from({ length: 30 }, (_, n) => `line ${n}\n`)
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 5 }),
      fc.array(fc.constantFrom('replace', 'delete', 'insert'), { minLength: 10, maxLength: 10 }),
      (drafted, ways) => {
        const edit = (wanted: (n: number) => boolean) =>
          lines
            .map((own, n) => {
              if (n % 3 !== 1 || !wanted((n - 1) / 3)) return own
              const way = ways[(n - 1) / 3]
              return way === 'replace' ? `new ${n}\n` : way === 'delete' ? '' : `${own}more ${n}\n`
            })
            .join('')

        const merged = mergeText({
          base: lines.join(''),
          current: edit((n) => !drafted.includes(n)),
          draft: edit((n) => drafted.includes(n)),
        })

        expect(merged).toEqual({ text: edit(() => true), conflicts: [] })
      },
    ),
    { numRuns: runs(1000) },
  )
})

test('a megabyte of repeated lines is merged at once', () => {
  const base = 'same\n\n'.repeat(100_000)
  const current = `top\n${base}`
  const draft = `${base}end\n`

  expect(mergeText({ base, current, draft })).toEqual({ text: `top\n${base}end\n`, conflicts: [] })
}, 20_000)

test('a merge without conflicts is the same from either side, and one with conflicts has them from either side', () => {
  fc.assert(
    fc.property(text, text, text, (base, current, draft) => {
      const one = mergeText({ base, current, draft })
      const other = mergeText({ base, current: draft, draft: current })

      expect(one.conflicts.length === 0).toBe(other.conflicts.length === 0)
      if (one.conflicts.length === 0) expect(one.text).toBe(other.text)
    }),
    { numRuns: runs(5000) },
  )
})

test('texts that are rewritten whole are a conflict, in no time', () => {
  const many = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}\n`).join('')

  const { conflicts } = mergeText({ base: many('a'), current: many('b'), draft: many('c') })

  expect(conflicts).toHaveLength(1)
}, 20_000)
