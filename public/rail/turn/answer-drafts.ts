import { inBrowser } from '#platform'
import type { Card } from '../../../lib/contract/changes/card.ts'
import { el } from '../../ui/dom.ts'
import type { ChangesetBar } from './changeset-bar.ts'
import type { TurnContext } from './turn-context.ts'

/** The cards of the drafts that an answer made, and beneath several the bar for all of them. */
export function createAnswerDrafts({ app, cards: renderer, signal }: TurnContext) {
  const list = el('div', { class: 'slot turn-cards' })
  const changeset = el('div', { class: 'slot' })
  const drawn = new Set<string>()
  let bar: ChangesetBar | null = null
  let latest: readonly Card[] = []

  return {
    elements: [list, changeset],
    show(cards: readonly Card[]): void {
      latest = cards
      showBar()
      // A card follows its draft itself, so it is never drawn again.
      for (const card of cards) {
        if (drawn.has(card.pending_change_id)) continue
        drawn.add(card.pending_change_id)
        list.append(renderer.render(card, { app, signal, now: app.now(), place: 'rail' }))
      }
    },
  }

  // Its code comes with the first answer that makes several drafts; there may be more by then.
  async function showBar(): Promise<void> {
    if (!inBrowser || latest.filter(({ status }) => status === 'pending').length < 2) return
    const { createChangesetBar } = await import('./changeset-bar.ts')
    bar ??= createChangesetBar(app, signal)
    changeset.replaceChildren(bar.element)
    bar.show(latest)
  }
}
