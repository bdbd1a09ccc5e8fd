import type { Card } from '../../../../lib/contract/changes/card.ts'
import { quoteShown } from '../../../../lib/core/text/quote-name.ts'
import { renderArmedButton } from '../../../ui/components/armed-button.ts'
import { el } from '../../../ui/dom.ts'
import type { ActionHandlers } from './action-handlers.ts'

type LineOptions = Pick<ActionHandlers, 'onChoice' | 'onNeverAsk' | 'onForgetForGood'> & { place: string }

/**
 * A line of memory that waits, in one line with its decision. `null` for what needs the whole card: another draft, several
 * lines, one that is stale, or one with something to check.
 */
export function renderMemoryLine(
  { memory = [], memory_scope, pending_change_id: id, status, stale, warnings, conflicts, note }: Card,
  { place, onChoice, onNeverAsk, onForgetForGood }: LineOptions,
): HTMLElement | null {
  const [change, ...more] = memory
  const isPlain = stale === null && warnings.length === 0 && conflicts.length === 0
  if (!change || more.length > 0 || status !== 'pending' || !isPlain) return null
  const { text, was } = change
  const where = memory_scope ? ' in all Spaces' : ''
  const words =
    text === null
      ? `Forget ${quoteShown(was ?? '')}${where}?`
      : was !== null && was !== text
        ? `Remember ${quoteShown(text)} in place of ${quoteShown(was)}${where}?`
        : `Remember ${quoteShown(text)}${where}?`
  const line = el(
    'div',
    { class: 'memory-line' },
    el('p', { title: note }, words),
    button(text === null ? 'Forget' : 'Remember', 'approve', () => onChoice({ approve: true })),
    text === null &&
      renderArmedButton({
        label: 'Forget and remove from history',
        name: quoteShown(was ?? ''),
        id: `${place}-purge-${id}`,
        press: () => void decide(() => onForgetForGood(was ?? '')),
      }),
    button('Not now', 'reject', () => onChoice({ approve: false, reason: 'Not now' })),
    text !== null && !memory_scope && button('Never ask', 'never', onNeverAsk),
  )
  return line

  function button(label: string, action: string, work: () => Promise<void>): HTMLElement {
    const look = action === 'approve' ? 'button-approve' : 'button-quiet'
    return el(
      'button',
      {
        class: ['button', 'button-small', look],
        type: 'button',
        id: `${place}-${action}-${id}`,
        'data-action': action,
        onclick: () => decide(work),
      },
      label,
    )
  }

  async function decide(work: () => Promise<void>): Promise<void> {
    for (const each of line.querySelectorAll('button')) each.disabled = true
    await work()
  }
}
