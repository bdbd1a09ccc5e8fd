import type { Card } from '../../../../lib/contract/changes/card.ts'
import { composeMessage } from '../../../app/actions/compose-message.ts'
import type { App } from '../../../app/app.ts'
import { savedText } from '../../../app/storage/saved-text.ts'
import { kindLabel, spaceHref } from '../../../ui/words/addresses.ts'

/**
 * Sends a message about a draft, in the Space that it belongs to. It names the draft by its id: the draft's text is not
 * the owner's, and must not be read as such.
 */
export async function askAbout(app: App, card: Card, text: string): Promise<void> {
  if (text === '') return
  const { spaces, space } = app.state.get()
  const home = spaces.find(({ id }) => id === card.space.id)
  if (home && home.id !== space?.id) await app.navigate(spaceHref(home.slug))
  const doing = { create: 'create', update: 'change', delete: 'delete', call: 'make' }[card.operation]
  const about = `About the draft to ${doing} a ${kindLabel(card.entity_type).toLowerCase()} (${card.pending_change_id})`
  savedText(`ask:${card.pending_change_id}`).write('')
  composeMessage(app, `${about}: ${text}`, { send: true })
}
