import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linksByRange } from '../../../lib/changes/card/text-change.ts'
import { linkTargets } from '../../../lib/core/text/links/link-targets.ts'
import { runs } from '../../helpers/runs.ts'

const text = fc
  .array(fc.constantFrom('[', '![', '](x)', '](\n y)', '\n', '\n', 'word', '<a\nhref=z\n>', '[[w]]'), {
    maxLength: 40,
  })
  .map((pieces) => pieces.join(''))

/** Lengths of ranges and of the gaps between them, in turn. */
const ranges = fc
  .array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 3 })), { maxLength: 6 })
  .map((pairs) => {
    let line = 1
    return pairs.map(([count, gap]) => {
      const range = { start: line, count }
      line += count + gap
      return range
    })
  })

test('a range has the links that begin in it or whose target is in it, each once', () => {
  fc.assert(
    fc.property(text, ranges, (text, ranges) => {
      const links = linkTargets(text)
      const lineOf = (position: number) => text.slice(0, position).split('\n').length

      const found = linksByRange(text, links, ranges)

      const expected = ranges.map(({ start, count }) =>
        links.filter((link) => {
          const within = (from: number, to: number) => lineOf(from) < start + count && lineOf(to) >= start
          return (
            count > 0 &&
            (within(link.start, link.start) ||
              within(link.target_start, Math.max(link.target_start, link.end - 1)))
          )
        }),
      )
      expect(found).toEqual(expected)
    }),
    { numRuns: runs(2000) },
  )
})
