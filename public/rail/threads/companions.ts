import type { CompanionState } from '../../../lib/contract/companion/companion.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { renderMark } from '../../ui/components/marks.ts'
import { renderMenu } from '../../ui/components/menu.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import type { ConversationState, ThreadContext } from '../state/conversation-part.ts'

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

/** Says whose thread it was, and who answers now. */
export function renderFormer({
  agent,
  agents,
  former_agent_id,
}: Pick<ConversationState, 'agent' | 'agents' | 'former_agent_id'>): HTMLElement {
  const former = agents.find(({ id }) => id === former_agent_id)
  const was = former ? el('bdi', { class: 'quoted' }, '“', visible(former.name), '”') : 'another companion'
  const who = el('bdi', {}, visible(agent.name))
  return el(
    'p',
    { class: 'thread-former' },
    'This thread was with ',
    was,
    '. ',
    who,
    ' answers from here on.',
  )
}
