import type { CardHunk } from '../../../lib/contract/changes/text-change.ts'
import { icon } from '../../ui/components/icon.ts'
import { renderParts } from '../../ui/diff/diff-hunk.ts'
import { renderTable } from '../../ui/diff/diff-table.ts'
import { el } from '../../ui/dom.ts'
import { renderLinks } from '../card/content/links.ts'
import { renderQuotes } from '../card/content/quotes.ts'

export type ChangeOptions = {
  /** Its number among those of the draft, from 1. */
  number: number
  count: number
  onDecide: (approve: boolean) => void
  onStep: (by: 1 | -1) => void
  onFocus: () => void
}

/** One change of a text: the words that go and those that come, as they are in the source, and its decision. */
export function renderChange(hunk: CardHunk, options: ChangeOptions): HTMLElement {
  const { number, count, onDecide, onFocus } = options
  const label = `Change ${number} of ${count}`
  return el(
    'section',
    {
      class: ['draft-change', `hunk-${hunk.kind.replace('_', '-')}`],
      tabindex: -1,
      'aria-label': label,
      'data-change': hunk.index,
      onfocusin: onFocus,
      onkeydown: (event: KeyboardEvent) => onKey(event, options),
    },
    hunk.table
      ? renderTable(hunk.table)
      : el('div', { class: 'diff-text', dir: 'auto' }, renderParts(hunk.parts)),
    renderLinks(hunk.links),
    renderQuotes(hunk.quotes),
    el(
      'div',
      { class: 'row' },
      decision('Approve', `Approve change ${number}`, () => onDecide(true)),
      decision('Reject', `Reject change ${number}`, () => onDecide(false)),
    ),
  )
}

/** As in the Inbox, while the focus is on the change. */
function onKey(event: KeyboardEvent, { onDecide, onStep }: ChangeOptions): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const run = {
    j: () => onStep(1),
    k: () => onStep(-1),
    a: () => onDecide(true),
    r: () => onDecide(false),
  }[event.key]
  if (!run) return
  event.preventDefault()
  event.stopPropagation()
  run()
}

const decision = (name: 'Approve' | 'Reject', label: string, onclick: () => void) =>
  el(
    'button',
    {
      class: ['button button-small', name === 'Approve' && 'button-approve'],
      type: 'button',
      'aria-label': label,
      'data-action': name.toLowerCase(),
      onclick,
    },
    icon(name === 'Approve' ? 'check' : 'close'),
    name,
  )
