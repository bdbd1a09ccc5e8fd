import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textChange } from '../../../../lib/changes/card/text-change.ts'
import { renderText } from '../../../../public/drafts/card/content/text.ts'
import { renderDiff } from '../../../../public/ui/diff/render-diff.ts'
import { markdownText } from '../../../core/text/diff/arbitrary-text.ts'
import { runs } from '../../../helpers/runs.ts'

/** The hunks as HTML, without the ids and what only a card or only a history has beside them. */
const hunksIn = ({ outerHTML }: HTMLElement): string[] =>
  [...outerHTML.matchAll(/<header class="diff-place">.*?<\/section>/gs)].map(([hunk]) =>
    hunk.replace(/ id="[^"]*"/g, '').replace(/<ul class="card-links".*?<\/ul>/gs, ''),
  )

test('a change is the same in a history and on a card: places, counts, parts and cells', () => {
  fc.assert(
    fc.property(markdownText, markdownText, (before, after) => {
      const change = textChange(before, after)

      const onCard = renderText({ name: 'body' }, change, { id: 'card', choosable: false })
      const inHistory = renderDiff(before, after, 'version')

      expect(hunksIn(inHistory)).toHaveLength(change.hunks.length)
      expect(hunksIn(inHistory)).toEqual(hunksIn(onCard))
    }),
    { numRuns: runs(500) },
  )
})

test('unchanged lines are folded with their number, and can be opened', () => {
  const lines = Array.from({ length: 40 }, (_, n) => `Line ${n}\n`)

  const { outerHTML } = renderDiff(lines.join(''), lines.with(20, 'Line twenty\n').join(''), 'v')

  expect([...outerHTML.matchAll(/<summary>([^<]*)<\/summary>/g)].map(([, label]) => label)).toEqual([
    '17 unchanged lines',
    '16 unchanged lines',
  ])
  expect(outerHTML).toContain('Line 5\nLine 6')
})

test('equal texts are one fold', () => {
  expect(renderDiff('a\nb\n', 'a\nb\n', 'v').outerHTML).toContain('2 unchanged lines')
})
