import type { Card } from '../../lib/contract/card.ts'
import { kindLabel, spaceHref } from '../addresses.ts'
import type { App } from '../app.ts'
import { keepDraft } from '../drafts.ts'
import { say } from '../rail/say.ts'

/**
 * Sends a message about a draft, in the Space that it belongs to. It names the draft by its id: the draft's own words
 * were not the owner's, and are not to be read as such.
 */
export async function askAbout(app: App, card: Card, words: string): Promise<void> {
  if (words === '') return
  const { spaces, space } = app.state.get()
  const home = spaces.find(({ id }) => id === card.space.id)
  if (home && home.id !== space?.id) await app.navigate(spaceHref(home.slug))
  const doing = { create: 'make', update: 'change', delete: 'delete' }[card.operation]
  const about = `About the draft to ${doing} a ${kindLabel(card.entity_type).toLowerCase()} (${card.pending_change_id})`
  keepDraft(`ask:${card.pending_change_id}`).write('')
  say(app, `${about}: ${words}`, { send: true })
}
