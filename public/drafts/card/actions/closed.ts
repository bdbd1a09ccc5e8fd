import type { Card } from '../../../../lib/contract/changes/card.ts'
import { quoteShown } from '../../../../lib/core/text/quote-name.ts'
import type { App } from '../../../app/app.ts'
import { icon } from '../../../ui/components/icon.ts'
import { type Child, el } from '../../../ui/dom.ts'
import { timeAgo } from '../../../ui/time.ts'
import { type CardOptions, deciderName } from '../draft/card-state.ts'
import { isEffect } from '../draft/parts.ts'
import { renderPurge } from './purge-line.ts'

/** Undo for an approved draft. */
export function renderClosed(card: Card, { app, now, place = 'card' }: CardOptions): Child {
  if (card.status !== 'approved' || isEffect(card)) return null
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
  return el('div', { class: 'card-actions' }, button, place !== 'rail' && renderPurge(app, card, place))
}

/** Shows a toast that undoes the approval; `part`: what of it alone was approved, in words; `null` for all. */
export function offerUndo(app: App, card: Card, part: string | null): void {
  const words =
    card.operation === 'delete'
      ? `Moved ${quoteShown(card.title)} to trash.`
      : `Approved: ${part ?? card.summary}`
  const undo = { action: { label: 'Undo', run: () => undoDraft(app, card) } }
  app.toast(words, isEffect(card) ? {} : undo)
}

async function undoDraft(app: App, { pending_change_id }: Card): Promise<void> {
  const { undoChange } = await import('../../../app/actions/undo-change.ts')
  await undoChange(app, { path: `/api/pending-changes/${encodeURIComponent(pending_change_id)}/undo` })
}
