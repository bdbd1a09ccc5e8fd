import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import type { ConversationState } from '../state/conversation-part.ts'

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
