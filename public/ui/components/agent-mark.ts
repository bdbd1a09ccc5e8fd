import type { AgentMark } from '../../../lib/contract/agents.ts'
import { el } from '../dom.ts'

/** A companion’s color, beside its name. */
export const renderMark = ({ color }: Pick<AgentMark, 'color'>): HTMLElement =>
  el('span', { class: 'mark', 'data-color': color ?? 'violet', 'aria-hidden': true })
