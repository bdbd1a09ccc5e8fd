import { defineView, type ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { afterDecided, placeOf } from './groups.ts'
import { type InboxContext, type InboxData, loadInbox } from './inbox-data.ts'
import { addInboxKeys, openItem } from './inbox-keys.ts'
import { inboxHref } from './inbox-query.ts'
import { renderList } from './list.ts'
import { listStateOf } from './list-state.ts'

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
      renderList(whole, async (group) => {
        const { approveGroup } = await import('./approve-group.ts')
        await approveGroup(whole, group)
      }),
      renderDetail(whole),
    )
  },
  mount: (root, data, context) => {
    addInboxKeys(root, { ...context, data })
    restoreScroll(root, context)
  },
  affectedBy: (event, { groups }) =>
    event.type === 'change' ||
    event.type === 'space' ||
    (event.type === 'entity' &&
      groups.some(({ lines }) => lines.some(({ entity_id }) => entity_id === event.data.id))),
})

function renderDetail(context: InboxContext): Child {
  const { data, app, signal, now } = context
  const { card, renderCard, ids, query } = data
  if (!card || !renderCard) return null
  const place = placeOf(ids, card.pending_change_id)
  return el(
    'section',
    { class: 'inbox-detail', 'aria-labelledby': 'inbox-detail-title' },
    el('h2', { class: 'visually-hidden', id: 'inbox-detail-title' }, 'Draft'),
    el(
      'header',
      { class: 'inbox-place' },
      el('a', { class: 'button button-quiet inbox-back', href: inboxHref(query) }, 'All drafts'),
      el('span', { class: 'dim small' }, place.index < 0 ? '' : `${place.index + 1} of ${ids.length}`),
      step(context, place.previous, 'Previous draft', 'arrowUp'),
      step(context, place.index < 0 ? null : place.next, 'Next draft', 'arrowDown'),
    ),
    renderCard(card, {
      app,
      signal,
      now,
      place: 'inbox',
      onDecided: ({ pending_change_id }) => showNext(context, pending_change_id),
      onReplaced: (id) => app.navigate(inboxHref(query, id), { replace: true }),
    }),
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
  document.querySelector<HTMLElement>('.inbox-detail .card')?.focus({ preventScroll: true })
}

function restoreScroll(root: HTMLElement, { app, signal }: ViewContext): void {
  const list = root.querySelector('#inbox-list')
  if (!list) return
  const state = listStateOf(app)
  list.scrollTop = state.get().scroll
  list.addEventListener('scroll', () => state.set({ scroll: list.scrollTop }), { signal, passive: true })
}
