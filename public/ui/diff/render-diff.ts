import { diffText } from '../../../lib/core/text/diff/diff-text.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'
import { plural, renderHunks } from './diff-hunk.ts'

/** The change from one text to another, with the unchanged lines folded. `id` prefixes the ids of the folds. */
export function renderDiff(before: string, after: string, id: string): HTMLElement {
  const { hunks, unchanged } = diffText(before, after)
  return el(
    'div',
    { class: 'diff' },
    renderHunks(hunks, id, ({ index }) => ({
      id: `${id}-${index}`,
      above: renderUnchanged(unchanged[index]!, `${id}-above-${index}`),
    })),
    renderUnchanged(unchanged.at(-1)!, `${id}-below`),
  )
}

function renderUnchanged(lines: readonly string[], id: string): Child {
  if (lines.length === 0) return null
  return el(
    'details',
    { class: 'diff-gap', id },
    el('summary', {}, plural(lines.length, 'unchanged line')),
    el('div', { class: 'diff-text', dir: 'auto' }, visible(lines.join('\n'))),
  )
}
