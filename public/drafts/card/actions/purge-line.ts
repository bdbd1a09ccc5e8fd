// The button that takes a forgotten line of memory out of history, too.

import type { Card } from '../../../../lib/contract/changes/card.ts'
import { removedMark } from '../../../../lib/core/text/memory/removed-mark.ts'
import { quoteShown } from '../../../../lib/core/text/quote-name.ts'
import { purgeMemory } from '../../../app/actions/purge-memory.ts'
import type { App } from '../../../app/app.ts'
import { renderArmedButton } from '../../../ui/components/armed-button.ts'

/** Removes the line that a draft forgot from the history of its memory page; whether that is done. */
export const purgeLine = (app: App, { space, memory_scope }: Card, text: string): Promise<boolean> =>
  purgeMemory(app, memory_scope ? null : space.id, text)

/** For a line that was forgotten and is still in the history; `null`: this draft forgot none. */
export function renderPurge(app: App, card: Card, place: string): HTMLElement | null {
  const was = (card.memory ?? []).find((change) => change.text === null)?.was
  if (!was || was === removedMark) return null
  const button = renderArmedButton({
    label: 'Remove from history',
    name: quoteShown(was),
    id: `${place}-purge-${card.pending_change_id}`,
    press: async () => {
      button.disabled = true
      if (await purgeLine(app, card, was)) button.remove()
      else button.disabled = false
    },
  })
  return button
}
