import type { Card } from '../../lib/contract/card.ts'
import type { App } from '../app.ts'
import { icon } from '../components/icon.ts'
import { type Child, el } from '../dom.ts'
import { timeAgo } from '../time.ts'
import type { CardOptions } from './card.ts'
import { deciderName } from './words.ts'

/** What can still be done about a draft that is closed, and what it really was. */
export function renderAfter(card: Card, { app, now, place = 'card' }: CardOptions): Child {
  if (card.drill) return el('p', { class: 'card-notice card-drill' }, drillWords(card))
  if (card.status !== 'approved') return null
  if (card.undone) {
    return el(
      'p',
      { class: 'card-undone' },
      `Undone by ${deciderName(card.undone.by)} `,
      timeAgo(card.undone.at, now),
    )
  }
  const undo = async () => {
    button.disabled = true
    await undoDraft(app, card)
    button.disabled = false
  }
  const button = el(
    'button',
    {
      class: 'button button-small',
      type: 'button',
      id: `${place}-undo-${card.pending_change_id}`,
      'data-action': 'undo',
      onclick: undo,
    },
    icon('undo'),
    'Undo',
  )
  return el('div', { class: 'card-actions' }, button)
}

/** Says that it was approved, with the way back. */
export function offerUndo(app: App, card: Card): void {
  const words = card.operation === 'delete' ? `“${card.title}” is in the trash.` : `Approved: ${card.summary}`
  app.toast(words, { action: { label: 'Undo', run: () => undoDraft(app, card) } })
}

async function undoDraft(app: App, { pending_change_id }: Card): Promise<void> {
  const { undoChange } = await import('../components/undo-change.ts')
  await undoChange(app, { path: `/api/pending-changes/${encodeURIComponent(pending_change_id)}/undo` })
}

const drillWords = ({ status }: Card): string =>
  status === 'rejected'
    ? 'Well seen: this was a drill, as you asked for. It could not have changed anything.'
    : 'This was a drill, and it was approved. Nothing was changed: look at what it would have done.'
