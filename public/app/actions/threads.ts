import type { Conversation } from '../../../lib/contract/companion/companion.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import type { SearchItem } from '../../../lib/contract/space/search.ts'
import { leaveFor } from '../../ui/address.ts'
import { entityHref, spaceHref } from '../../ui/words/addresses.ts'
import { ApiError, messageOf } from '../api/api.ts'
import type { App } from '../app.ts'

/** Makes a conversation that was found the one in use, and shows it in the rail of its Space. */
export async function openConversation(
  app: App,
  { space_id, entity_id }: Pick<SearchItem, 'space_id' | 'entity_id'>,
): Promise<void> {
  const space = app.state.get().spaces.find(({ id }) => id === space_id)
  if (!space) return
  try {
    await app.api.patch(`/api/spaces/${space.id}/conversations/${entity_id}`, { in_use: true })
    app.prefs.set({ railOpen: true })
    leaveFor(`${spaceHref(space.slug)}?companion=1`)
  } catch (error) {
    // One that was imported is read on a page of its own.
    const isImported = error instanceof ApiError && error.code === 'imported_thread'
    if (isImported) return await app.navigate(entityHref(space.slug, 'conversation', entity_id)!)
    app.toast(messageOf(error), { tone: 'problem' })
  }
}

/** Begins a thread with what was said up to a message, and shows it in the rail. */
export async function cloneThread(
  app: Pick<App, 'api' | 'prefs' | 'toast'>,
  { slug }: Pick<Space, 'slug'>,
  messageId: string,
): Promise<void> {
  try {
    await app.api.post<Conversation>(`/api/messages/${messageId}/clone`, {})
    app.prefs.set({ railOpen: true })
    leaveFor(`${spaceHref(slug)}?companion=1`)
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
}
