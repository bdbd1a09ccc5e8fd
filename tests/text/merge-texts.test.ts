import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeTexts } from '../../lib/text/merge-texts.ts'

const line = fc.constantFrom('a', 'b', 'c', '', ' ', 'longer line', '<<<<<<< mine', '\r')
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, end]) => lines.join('\n') + (end ? '\n' : ''))

test('changes of either side alone are taken as they are, byte for byte', () => {
  fc.assert(
    fc.property(text, text, (base, side) => {
      expect(mergeTexts({ base, ours: side, theirs: base })).toEqual({ clean: true, text: side })
      expect(mergeTexts({ base, ours: base, theirs: side })).toEqual({ clean: true, text: side })
      expect(mergeTexts({ base, ours: side, theirs: side })).toEqual({ clean: true, text: side })
    }),
  )
})

test('a clean merge is the same from either side, and a conflict is one from either side', () => {
  fc.assert(
    fc.property(text, text, text, (base, ours, theirs) => {
      const one = mergeTexts({ base, ours, theirs })
      const other = mergeTexts({ base, ours: theirs, theirs: ours })

      expect(one.clean).toBe(other.clean)
      if (one.clean && other.clean) expect(one.text).toBe(other.text)
    }),
  )
})

test('changes far apart go together, whatever stands around them', () => {
  fc.assert(
    fc.property(text, text, text, (top, middle, bottom) => {
      const between = `\n1\n2\n3\n${middle}\n4\n5\n6\n`
      const base = `first\n${top}${between}${bottom}\nlast`

      const merged = mergeTexts({
        base,
        ours: base.replace(/^first/, 'FIRST'),
        theirs: base.replace(/last$/, 'LAST'),
      })

      expect(merged).toEqual({ clean: true, text: `FIRST\n${top}${between}${bottom}\nLAST` })
    }),
  )
})

test('texts that are rewritten whole are a conflict, in no time', () => {
  const many = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}\n`).join('')

  const merged = mergeTexts({ base: many('a'), ours: many('b'), theirs: many('c') })

  expect(merged.clean).toBe(false)
})
