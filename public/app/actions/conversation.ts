import type { SearchItem } from '../../../lib/contract/space/search.ts'
import { spaceHref } from '../../ui/words/addresses.ts'
import { messageOf } from '../api/api.ts'
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
    location.assign(spaceHref(space.slug))
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
}

/** Adds text to the composer and focuses it; with `send`, sends it. */
export function composeMessage({ panels }: Pick<App, 'panels'>, text: string, { send = false } = {}): void {
  panels.toggleRail(true)
  const composer = document.querySelector<HTMLTextAreaElement>('#composer')
  if (!composer) return
  composer.value = [composer.value.trim(), text].filter(Boolean).join('\n')
  composer.dispatchEvent(new Event('input', { bubbles: true }))
  composer.focus()
  if (send) composer.form?.requestSubmit()
}
