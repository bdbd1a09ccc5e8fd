import type { CardField } from '../../../../lib/contract/changes/card.ts'
import type { CardHunk, TextChange } from '../../../../lib/contract/changes/text-change.ts'
import { describeCounts, plural, renderHunks } from '../../../ui/diff/diff-hunk.ts'
import { type Child, el } from '../../../ui/dom.ts'
import { renderLinks } from './links.ts'
import { renderQuotes } from './quotes.ts'

export type TextOptions = {
  /** The prefix of the ids in it. */
  id: string
  /** Whether hunks can be selected one by one. */
  choosable: boolean
  /** Whether less of a long text is open. */
  isBrief?: boolean
  /** Whether the text is all there is of a new or deleted one, so that it has no place in another. */
  isWhole?: boolean
}

const brief = { hunks: 3, lines: 10, context: 1 }

/** The diff of a text, as the server made it. */
export function renderText(
  { name }: Pick<CardField, 'name'>,
  change: TextChange,
  options: TextOptions,
): HTMLElement {
  const id = `${options.id}-${name}`
  return el(
    'div',
    { class: 'diff' },
    renderHunks(
      change.hunks,
      id,
      (hunk) => ({
        id: `${id}-${hunk.index}`,
        above: gap(hunk.unchanged_above),
        below: [renderLinks(hunk.links), renderQuotes(hunk.quotes)],
        checkbox: options.choosable ? hunkCheckbox(hunk, id, name) : undefined,
        placeless: options.isWhole === true && change.hunks.length === 1,
      }),
      options.isBrief ? brief : undefined,
    ),
    change.folded &&
      el(
        'p',
        { class: 'diff-gap' },
        `${plural(change.folded.hunks, 'change')} not shown (${describeCounts(change.folded)})`,
      ),
    gap(change.unchanged_below),
  )
}

const hunkCheckbox = ({ index }: CardHunk, id: string, field: string) =>
  el('input', {
    class: 'card-choice',
    type: 'checkbox',
    id: `${id}-select-${index}`,
    checked: true,
    'data-field': field,
    'data-hunk': index,
  })

const gap = (lines: number): Child =>
  lines > 0 && el('p', { class: 'diff-gap' }, `${plural(lines, 'unchanged line')}`)
