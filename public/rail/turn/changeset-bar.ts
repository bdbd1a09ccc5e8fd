import type { Card } from '../../../lib/contract/changes/card.ts'
import type { LiveEvent } from '../../../lib/contract/events/live.ts'
import type { App } from '../../app/app.ts'
import { isDestructive } from '../../drafts/card/draft/card-state.ts'
import { el } from '../../ui/dom.ts'
import { withQuery } from '../../ui/words/addresses.ts'

export type ChangesetBar = { element: HTMLElement; show(cards: readonly Card[]): void }

/**
 * The actions for all drafts of one turn, while at least two of them are pending. The code that decides is loaded when it
 * is used.
 */
export function createChangesetBar(app: App, signal: AbortSignal): ChangesetBar {
  const element = el('div', {
    class: 'changeset-bar',
    role: 'group',
    'aria-label': 'All changes of this answer',
  })
  const open = new Map<string, Card>()
  app.live.on(onLive, signal)
  return { element, show }

  function show(cards: readonly Card[]): void {
    open.clear()
    for (const card of cards) if (card.status === 'pending') open.set(card.pending_change_id, card)
    draw()
  }

  function onLive(event: LiveEvent): void {
    if (event.type !== 'change' || event.data.status === 'pending' || !open.delete(event.data.id)) return
    draw()
  }

  function draw(problem = ''): void {
    const cards = [...open.values()]
    if (cards.length < 2) {
      element.replaceChildren()
      return
    }
    const fresh = cards.every(({ stale, operation }) => stale === null && !isDestructive({ operation }))
    element.replaceChildren(
      el('span', { class: 'dim small' }, `${cards.length} related changes`),
      ...(fresh ? [button(`Approve all ${cards.length}`, approve, 'button-approve')] : []),
      button('Preview', preview, 'button-quiet'),
      button('Reject all', reject, 'button-quiet'),
      ...(problem ? [el('p', { class: 'problem small', role: 'alert' }, problem)] : []),
    )
  }

  async function approve(): Promise<void> {
    const { approveChangeset, offerUndoAll } = await import('../../drafts/card/draft/decide.ts')
    const cards = [...open.values()]
    const { changeset_id } = cards[0]!
    const outcome = await approveChangeset(app.api, changeset_id, cards)
    if (outcome.done) offerUndoAll(app, [cards])
    else draw(outcome.message)
  }

  async function reject(): Promise<void> {
    const { rejectChangeset } = await import('../../drafts/card/draft/decide.ts')
    const [first] = open.values()
    const outcome = await rejectChangeset(app.api, first!.changeset_id)
    if (outcome.done) app.announce(`${outcome.changes.length} changes rejected.`)
    else draw(outcome.message)
  }

  async function preview(): Promise<void> {
    const [first] = open.values()
    const { showPreview } = await import('../../drafts/card/actions/preview.ts')
    await showPreview(app, withQuery(`/api/changesets/${first!.changeset_id}/preview`, {}), first!.space.id)
  }
}

const button = (label: string, onclick: () => Promise<void>, name: string) =>
  el('button', { class: ['button button-small', name], type: 'button', onclick }, label)
