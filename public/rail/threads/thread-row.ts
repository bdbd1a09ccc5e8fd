import type { AgentMark } from '../../../lib/contract/agents.ts'
import type { Conversation } from '../../../lib/contract/companion/companion.ts'
import type { IconName } from '../../ui/components/icon.ts'
import { renderMark } from '../../ui/components/marks.ts'
import { renderMenu } from '../../ui/components/menu.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'

export type ThreadMenuItem = { label: string; icon: IconName; run: () => void; key?: string }

export type ThreadRowOptions = {
  thread: Conversation
  /** Whose thread it is, where there are several companions. */
  companion: AgentMark | null
  isCurrent: boolean
  now: Date
  onOpen: () => void
  /** `null`: the row has no menu. */
  menu: readonly ThreadMenuItem[] | null
}

export function renderThreadRow({
  thread,
  companion,
  isCurrent,
  now,
  onOpen,
  menu,
}: ThreadRowOptions): HTMLElement {
  const { id, title, summary, last_activity_at } = thread
  return el(
    'li',
    { class: 'thread-row' },
    el(
      'button',
      {
        class: 'menu-item thread-item',
        type: 'button',
        'aria-current': isCurrent ? 'true' : null,
        onclick: onOpen,
      },
      el(
        'span',
        { class: 'grow thread-words' },
        el('span', { class: 'thread-name' }, title || 'Untitled'),
        summary && el('span', { class: 'thread-summary' }, summary),
      ),
      companion && el('span', { class: 'thread-with' }, renderMark(companion), visible(companion.name)),
      timeAgo(last_activity_at, now),
    ),
    menu && renderMenu({ label: `Actions for ${title || 'Untitled'}`, id: `thread-menu-${id}`, items: menu }),
  )
}

/** A form in place of the row: `onSave` gets the new title; Escape calls `onCancel`. */
export function renderRenameForm(
  { title }: Conversation,
  onSave: (title: string) => Promise<void>,
  onCancel: () => void,
): HTMLFormElement {
  const name = el('input', {
    class: 'field',
    value: title,
    maxlength: 200,
    required: true,
    'aria-label': 'Thread title',
    onkeydown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      onCancel()
    },
  })
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    await onSave(name.value)
  }
  return el(
    'form',
    { class: 'row grow', onsubmit: save },
    el('div', { class: 'grow' }, name),
    el('button', { class: 'button', type: 'submit' }, 'Save'),
  )
}
