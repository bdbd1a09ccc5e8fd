import type { InboxContext } from './data.ts'
import { itemId, toggleSelected } from './list.ts'
import { inboxHref } from './query.ts'

/** How long one may rest on a draft before it is opened: running down the list asks for none on the way. */
const restMs = 80

/** The keys of the list. They work only while it has the focus. */
export function addInboxKeys(root: HTMLElement, context: InboxContext): void {
  const { app, data, signal } = context
  const list = root.querySelector('.inbox-groups')
  if (!list) return
  const { ids } = data
  const shownId = data.card?.pending_change_id ?? null
  let timer = 0
  signal.addEventListener('abort', () => clearTimeout(timer))

  const focusedId = () => {
    const focused = document.activeElement?.closest('.inbox-line')?.querySelector<HTMLElement>('.inbox-item')
    return focused?.dataset.id ?? null
  }
  const move = (by: number) => () => {
    const from = ids.indexOf(focusedId() ?? shownId ?? '')
    const id = ids[Math.min(ids.length - 1, Math.max(0, from + by))]
    if (id === undefined) return
    document.getElementById(itemId(id))?.focus()
    clearTimeout(timer)
    timer = window.setTimeout(() => openItem(context, id), restMs)
  }
  // A key decides on what is seen, never on a draft that is only on its way.
  const press = (action: keyof typeof refused) => (event: KeyboardEvent) => {
    if (event.repeat) return
    const id = focusedId()
    if (id !== null && id !== shownId) return
    const button = root.querySelector<HTMLElement>(`.inbox-detail [data-action=${action}]`)
    if (!button) return app.announce(`This draft cannot be ${refused[action]}.`)
    if (action === 'reject') button.focus()
    button.click()
  }
  const select = () => {
    const id = focusedId() ?? shownId
    if (id !== null && data.query.tab === 'waiting') toggleSelected(context, id)
  }

  const bindings = [
    { key: 'j', label: 'Next draft', run: move(1) },
    { key: 'k', label: 'Previous draft', run: move(-1) },
    { key: 'ArrowDown', label: 'Next draft', run: move(1) },
    { key: 'ArrowUp', label: 'Previous draft', run: move(-1) },
    { key: 'a', label: 'Approve the draft shown', run: press('approve') },
    { key: 'e', label: 'Edit it, then approve', run: press('edit') },
    { key: 'r', label: 'Reject it, with a reason', run: press('reject') },
    data.query.tab === 'waiting'
      ? { key: 'x', label: 'Select it', run: select }
      : { key: 'u', label: 'Undo what it changed', run: press('undo') },
  ]
  app.keys.add(
    bindings.map((binding) => ({ ...binding, group: 'Inbox, in the list', within: list })),
    signal,
  )
}

const refused = { approve: 'approved', edit: 'edited', reject: 'rejected', undo: 'undone' } as const

/** Shows a draft and leaves the focus on its line. */
export async function openItem({ app, data }: InboxContext, id: string): Promise<void> {
  await app.navigate(inboxHref(data.query, id), { replace: true })
  document.getElementById(itemId(id))?.focus()
}
