import { icon } from '../../ui/components/icon.ts'
import { renderMark } from '../../ui/components/marks.ts'
import { agentName, visible } from '../../ui/components/visible.ts'
import { plural } from '../../ui/diff/diff-hunk.ts'
import { type Child, el } from '../../ui/dom.ts'
import { renderCardBody } from '../card/content/body.ts'
import { cardState } from '../card/draft/card-state.ts'
import type { WaitingDraft } from './find-waiting.ts'

export type BarOptions = {
  /** How many changes are drawn in the text. */
  changes: number
  /** Goes to the next or previous change. */
  onStep: (by: 1 | -1) => void
  /** Shows another draft of the page. */
  onNextDraft: () => void
  onDecide: (approve: boolean) => void
}

/** What the draft is, what changes besides the text, and what to check before approving. */
export function renderBar(draft: WaitingDraft, options: BarOptions): HTMLElement {
  const { card, at, count } = draft
  const { changes, onStep, onNextDraft } = options
  const state = cardState(card)
  return el(
    'section',
    { class: 'draft-bar', id: 'draft-bar', 'aria-label': 'Draft of this page', tabindex: -1 },
    el(
      'header',
      { class: 'row' },
      renderMark(card.agent),
      el('p', {}, agentName(card.agent), ': ', visible(card.summary)),
      el('span', { class: ['badge', `badge-${state.tone}`] }, icon(state.icon), state.word),
    ),
    renderCardBody(
      { ...card, fields: card.fields.filter(({ name }) => name !== 'body') },
      'draft-bar-fields',
    ),
    el(
      'div',
      { class: 'row' },
      changes > 0 &&
        el(
          'div',
          { class: 'row draft-steps' },
          el('span', { class: 'draft-place dim', role: 'status' }, plural(changes, 'change')),
          step('Previous change', 'arrowUp', () => onStep(-1)),
          step('Next change', 'arrowDown', () => onStep(1)),
        ),
      decisions(draft, options),
      el(
        'a',
        { class: 'button button-quiet button-small', href: `/inbox/${card.pending_change_id}` },
        'Open in Inbox',
      ),
      count > 1 &&
        el(
          'button',
          { class: 'button button-quiet button-small', type: 'button', onclick: onNextDraft },
          `Next draft (${at + 1} of ${count})`,
        ),
    ),
  )
}

/** A deletion, conflicts and a page that has changed since are decided where all of it is shown. */
function decisions({ card }: WaitingDraft, { changes, onDecide }: BarOptions): Child {
  if (card.operation !== 'update' || card.stale !== null || card.conflicts.length > 0) return null
  const all = changes > 1 ? ' all' : ''
  return [
    el(
      'button',
      {
        class: 'button button-approve button-small',
        type: 'button',
        'data-action': 'approve',
        onclick: () => onDecide(true),
      },
      icon('check'),
      `Approve${all}`,
    ),
    el(
      'button',
      {
        class: 'button button-small',
        type: 'button',
        'data-action': 'reject',
        onclick: () => onDecide(false),
      },
      icon('close'),
      `Reject${all}`,
    ),
  ]
}

const step = (label: string, name: Parameters<typeof icon>[0], onclick: () => void) =>
  el(
    'button',
    { class: 'icon-button', type: 'button', title: label, 'aria-label': label, onclick },
    icon(name),
  )
