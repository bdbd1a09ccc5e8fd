import type { CardLine } from '../../../lib/contract/changes/card.ts'
import { defineView, type ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { type CardOptions, isPlain } from '../card/draft/card-state.ts'
import { listStateOf } from './batch.ts'
import {
  afterDecided,
  type InboxContext,
  type InboxData,
  inboxHref,
  loadInbox,
  placeOf,
} from './inbox-data.ts'
import { itemId, renderList, toggleSelected } from './list.ts'

export const view = defineView<InboxData>({
  load: loadInbox,
  title: ({ card, opened }) => (card && opened ? `${card.summary} · Inbox` : 'Inbox'),
  layout: 'wide',
  render: (data, context) => {
    const whole = { ...context, data }
    return el(
      'div',
      { class: 'inbox', 'data-opened': data.opened, 'data-empty': data.card === null },
      // There also where the list is hidden behind a draft.
      el('h1', { class: 'visually-hidden' }, 'Inbox'),
      renderList(whole),
      renderDetail(whole),
    )
  },
  mount: (root, data, context) => {
    addInboxKeys(root, { ...context, data })
    restoreScroll(root, context)
    if (data.together[0]?.pending_change_id !== data.card?.pending_change_id) {
      root.querySelector(`#inbox-${data.card?.pending_change_id}`)?.scrollIntoView({ block: 'nearest' })
    }
  },
  affectedBy: (event, { groups }) =>
    event.type === 'change' ||
    event.type === 'space' ||
    (event.type === 'entity' &&
      groups.some(({ lines }) => lines.some(({ entity_id }) => entity_id === event.data.id))),
})

function renderDetail(context: InboxContext): Child {
  const { data, app, signal, now } = context
  const { card, renderCard, ids, query, together } = data
  if (!card || !renderCard) return null
  const place = placeOf(ids, card.pending_change_id)
  const options: CardOptions = {
    app,
    signal,
    now,
    place: 'inbox',
    onDecided: ({ pending_change_id }) => showNext(context, pending_change_id),
    onReplaced: (id) => app.navigate(inboxHref(query, id), { replace: true }),
  }
  return el(
    'section',
    { class: 'inbox-detail', 'aria-labelledby': 'inbox-detail-title', 'data-together': together.length > 1 },
    el(
      'header',
      { class: 'inbox-place' },
      el('a', { class: 'button button-quiet inbox-back', href: inboxHref(query) }, 'All drafts'),
      el('span', { class: 'dim small' }, place.index < 0 ? '' : `${place.index + 1} of ${ids.length}`),
      step(context, place.previous, 'Previous draft', 'arrowUp'),
      step(context, place.index < 0 ? null : place.next, 'Next draft', 'arrowDown'),
    ),
    together.length > 1
      ? renderTogether(context)
      : el('h2', { class: 'visually-hidden', id: 'inbox-detail-title' }, 'Draft'),
    (together.length > 1 ? together : [card]).map((each) => renderCard(each, options)),
  )
}

/** The heading of drafts that belong together, with what decides on all of them. */
function renderTogether(context: InboxContext): HTMLElement {
  const { together } = context.data
  const plain = together.filter(isPlain)
  const decide = async (
    ...args: [CardLine[], Parameters<typeof import('./decide-many.ts').decideMany>[2]]
  ) => {
    const { decideMany } = await import('./decide-many.ts')
    await decideMany(context, ...args)
  }
  return el(
    'div',
    { class: 'inbox-together' },
    el('h2', { id: 'inbox-detail-title' }, `${together.length} related changes`),
    el(
      'button',
      {
        class: 'button button-quiet',
        type: 'button',
        'data-all': 'reject',
        onclick: () => decide(together, { approve: false, reason: '' }),
      },
      'Reject all',
    ),
    plain.length > 1 &&
      el(
        'button',
        {
          class: 'button button-approve',
          type: 'button',
          'data-all': 'approve',
          onclick: () => decide(plain, { approve: true }),
        },
        plain.length === together.length
          ? `Approve all ${plain.length}`
          : `Approve ${plain.length} of ${together.length}`,
      ),
  )
}

function step(
  { data }: InboxContext,
  id: string | null,
  label: string,
  sign: 'arrowUp' | 'arrowDown',
): Child {
  if (id === null)
    return el('span', { class: 'icon-button', 'aria-hidden': 'true', 'data-off': '' }, icon(sign))
  return el(
    'a',
    { class: 'icon-button', href: inboxHref(data.query, id), 'aria-label': label, title: label },
    icon(sign),
  )
}

/** Opens the draft after the decided one; the focus stays on its side. */
async function showNext(context: InboxContext, id: string): Promise<void> {
  const { app, data } = context
  if (data.query.tab === 'decided') return
  const inList = document.querySelector('#inbox-list')?.contains(document.activeElement) ?? false
  const next = afterDecided(data.ids, new Set([id]))
  if (inList && next) return await openItem(context, next)
  await app.navigate(inboxHref(data.query, next), { replace: true })
  if (next) document.getElementById(`inbox-${next}`)?.focus({ preventScroll: true })
}

function restoreScroll(root: HTMLElement, { app, signal }: ViewContext): void {
  const list = root.querySelector('#inbox-list')
  if (!list) return
  const state = listStateOf(app)
  list.scrollTop = state.get().scroll
  list.addEventListener('scroll', () => state.set({ scroll: list.scrollTop }), { signal, passive: true })
}

/** How long a draft is focused before it is opened, so that stepping through the list loads none on the way. */
const openDelayMs = 80

/** The keys of the list. They work only while it has the focus. */
function addInboxKeys(root: HTMLElement, context: InboxContext): void {
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
    const button = root.querySelector<HTMLElement>(`#inbox-${shownId} [data-action=${action}]`)
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
async function openItem({ app, data }: InboxContext, id: string): Promise<void> {
  await app.navigate(inboxHref(data.query, id), { replace: true })
  document.getElementById(itemId(id))?.focus()
}
