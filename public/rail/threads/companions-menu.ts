import type { CompanionState } from '../../../lib/contract/companion/companion.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { renderMark } from '../../ui/components/marks.ts'
import { renderMenu } from '../../ui/components/menu.ts'
import type { ThreadContext } from '../state/conversation-part.ts'

/** The companions of the Space, the one of the thread checked, in a menu that takes the place of the button in `slot`. */
export function showCompanionsMenu(thread: ThreadContext, slot: HTMLElement): void {
  const { app, part } = thread
  const { agent, companions } = part.state.get()
  const items = companions.map((companion) => ({
    label: companion.name,
    icon: renderMark(companion),
    checked: companion.id === agent.id,
    run: () => toastFailure(app, switchCompanion(thread, companion.id)),
  }))
  const run = () => app.navigate('/settings/companions')
  const menu = renderMenu({
    label: slot.querySelector('button')?.title ?? '',
    id: 'companions-menu',
    face: [...(slot.querySelector('button')?.childNodes ?? [])],
    items: [...items, { label: 'Manage companions', icon: 'settings', run }],
  })
  slot.replaceChildren(menu)
  menu.querySelector('button')?.click()
}

/** Switches to the thread in use with a companion, a new one where there is none. */
async function switchCompanion({ app, spaceId, part }: ThreadContext, id: string): Promise<void> {
  await part.change(async () => {
    const path = `/api/spaces/${spaceId}/companion?agent_id=${id}&limit=1`
    const { conversation_id } = await app.api.get<CompanionState>(path)
    await app.api.patch(`/api/spaces/${spaceId}/conversations/${conversation_id}`, { in_use: true })
  })
}
