import type { AgentMark } from '../../../lib/contract/agents.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import { el } from '../dom.ts'

/** A companion’s color, beside its name. */
export const renderMark = ({ color }: Pick<AgentMark, 'color'>): HTMLElement =>
  el('span', { class: 'mark', 'data-color': color ?? 'violet', 'aria-hidden': true })

/** A Space's emoji, or its first letter, on its colour. Without a Space: that of Void. */
export const spaceMark = (space: Pick<Space, 'name' | 'color' | 'emoji'> | null): HTMLElement =>
  el(
    'span',
    {
      class: ['space-mark', space?.emoji && 'space-emoji'],
      'data-color': space?.color ?? 'violet',
      'aria-hidden': 'true',
    },
    space?.emoji || [...(space?.name ?? 'Void')][0]?.toUpperCase(),
  )
