import type { Trash } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import { defineView, type ViewContext } from '../../app/view.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { dayTime, localDay, timeAgo } from '../../ui/time.ts'
import { entityHref, isKind, kindNames } from '../../ui/words/addresses.ts'
import { actorName } from '../../ui/words/names.ts'

type Item = Trash['items'][number]

export const view = defineView<Trash>({
  load: ({ api, space }) => api.get(`/api/spaces/${space!.id}/trash`),
  title: (_data, { space }) => `Trash · ${space!.name}`,
  render: (trash, context) => [
    el(
      'header',
      { class: 'view-head' },
      el('h1', {}, 'Trash'),
      el('p', { class: 'dim' }, `Items are deleted permanently after ${trash.days} days.`),
    ),
    trash.items.length === 0 ? nothing() : groups(trash, context),
  ],
  affectedBy: (event, _data, { space }) =>
    event.type === 'entity' && event.data.space_id === space!.id && event.data.action !== 'update',
})

const nothing = () =>
  el(
    'section',
    { class: 'empty' },
    el('p', {}, 'Trash is empty.'),
    el('p', { class: 'dim' }, 'Deleted items are shown here, and can be restored.'),
  )

function groups(trash: Trash, context: ViewContext): Child {
  const byKind = Map.groupBy(trash.items, ({ entity_type }) => entity_type)
  return Object.keys(kindNames).map((type) => {
    const items = byKind.get(type) ?? []
    if (items.length === 0 || !isKind(type)) return null
    return el(
      'section',
      { class: 'trash-group', 'aria-labelledby': `trash-${type}` },
      el(
        'h2',
        { id: `trash-${type}` },
        kindNames[type].many,
        el('span', { class: 'page-around-count' }, items.length),
      ),
      el(
        'ul',
        { class: 'rows' },
        items.map((item) => row(item, trash.days, context)),
      ),
    )
  })
}

function row(item: Item, days: number, context: ViewContext): HTMLElement {
  const { now } = context
  const gone = localDay(new Date(Date.parse(item.deleted_at) + days * 86_400_000))
  return el(
    'li',
    { class: 'row-item trash-row' },
    kindIcon(item.entity_type),
    el('span', { class: 'row-title trash-title' }, item.title),
    el(
      'span',
      { class: 'dim small trash-when' },
      timeAgo(item.deleted_at, now),
      ` by ${actorName(item.deleted_by)} · until `,
      dayTime(gone, now),
    ),
    el(
      'button',
      {
        class: 'button button-small',
        id: `restore-${item.id}`,
        type: 'button',
        'aria-label': `Restore ${item.title}`,
        onclick: () => restore(item, context),
      },
      icon('restore'),
      'Restore',
    ),
  )
}

async function restore(item: Item, { app, space, refresh }: ViewContext): Promise<void> {
  const { entity_type: type, id, title } = item
  if (!isKind(type)) return
  try {
    await app.api.post(`/api/${kindNames[type].path}/${id}/restore`)
    const href = entityHref(space!.slug, type, id)!
    app.toast(`Restored ${quoteShown(title)}.`, { action: { label: 'Open', run: () => app.navigate(href) } })
    const rows = [...document.querySelectorAll<HTMLElement>('.trash-row .button')]
    const at = rows.findIndex((button) => button.id === `restore-${id}`)
    const next = (rows[at + 1] ?? rows[at - 1])?.id
    await refresh()
    document.getElementById(next ?? 'content')?.focus()
  } catch (error) {
    app.toast(`Could not restore ${quoteShown(title)}. ${messageOf(error)}`, { tone: 'problem' })
  }
}
