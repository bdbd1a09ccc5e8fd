import type { InboxContext } from './inbox-data.ts'
import { inboxHref } from './inbox-query.ts'
import { itemId, toggleSelected } from './list.ts'

/** How long a draft is focused before it is opened, so that stepping through the list loads none on the way. */
const openDelayMs = 80

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
    timer = window.setTimeout(() => openItem(context, id), openDelayMs)
  }
  // A key decides on the draft that is shown, never on one that is still loading.
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

  // The keys work while the list has the focus, and a click beside a control would take it away.
  root.addEventListener(
    'click',
    (event) => {
      const { target } = event
      if (!(target instanceof Element)) return
      const item = target.closest<HTMLElement>('.inbox-item[data-id]')
      if (item && isPlainClick(event)) return void followLine(context, event, item)
      if (target.closest(controls) || shownId === null || String(getSelection()) !== '') return
      document.getElementById(itemId(shownId))?.focus({ preventScroll: true })
    },
    { signal },
  )
  const bindings = [
    { key: 'j', label: 'Next draft', run: move(1) },
    { key: 'k', label: 'Previous draft', run: move(-1) },
    { key: 'ArrowDown', label: 'Next draft', run: move(1) },
    { key: 'ArrowUp', label: 'Previous draft', run: move(-1) },
    { key: 'a', label: 'Approve', run: press('approve') },
    { key: 'e', label: 'Edit and approve', run: press('edit') },
    { key: 'r', label: 'Reject with a reason', run: press('reject') },
    data.query.tab === 'waiting'
      ? { key: 'x', label: 'Select', run: select }
      : { key: 'u', label: 'Undo', run: press('undo') },
  ]
  app.keys.add(
    bindings.map((binding) => ({ ...binding, group: 'Inbox list', within: list })),
    signal,
  )
}

const isPlainClick = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey

/** Opens the draft of a line that was clicked; the focus stays on the line. */
async function followLine(
  { app, data }: InboxContext,
  event: Event,
  { dataset }: HTMLElement,
): Promise<void> {
  const { id = null } = dataset
  event.preventDefault()
  await app.navigate(inboxHref(data.query, id))
  document.getElementById(itemId(id ?? ''))?.focus({ preventScroll: true })
}

const controls = 'a, button, input, select, textarea, label, summary, [contenteditable]'

const refused = { approve: 'approved', edit: 'edited', reject: 'rejected', undo: 'undone' } as const

/** Opens a draft and focuses its line in the list. */
export async function openItem({ app, data }: InboxContext, id: string): Promise<void> {
  await app.navigate(inboxHref(data.query, id), { replace: true })
  document.getElementById(itemId(id))?.focus()
}
