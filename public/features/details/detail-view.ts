// An entity with a title, a few fields and a text, each edited in place.

import { defineView, type View, type ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { kindNames, spaceHref } from '../../ui/words/addresses.ts'
import { linkedList } from '../../ui/words/linked-rows.ts'
import { actorName } from '../../ui/words/names.ts'
import { mountBody, renderBody } from './body.ts'
import {
  createSaver,
  type DetailData,
  type DetailDefinition,
  type DetailRow,
  loadDetail,
  pathOf,
  type Saver,
} from './detail-data.ts'
import { mountFields, renderFields } from './fields.ts'

export function detailView<Row extends DetailRow, Extra>(definition: DetailDefinition<Row, Extra>): View {
  const { type, fields, after, mount } = definition
  const { path, many, one } = kindNames[type]

  return defineView<DetailData<Row, Extra>>({
    load: (context) => loadDetail(definition, context),
    title: ({ row }) => row.title,
    subject: ({ row }) => ({ entityType: type, entityId: row.id, title: row.title, version: row.version }),
    render: (data, context) =>
      el(
        'article',
        { class: 'detail', 'aria-labelledby': 'title' },
        el(
          'p',
          { class: 'crumbs' },
          el('a', { id: 'crumb', href: `${spaceHref(context.space!.slug)}/${path}` }, many),
        ),
        head(data.row, one),
        el(
          'p',
          { class: 'detail-meta' },
          meta(data.row, context.now),
          el('span', { id: 'saving', role: 'status' }),
        ),
        renderFields(fields(data), data.row, context.now),
        renderBody(data, context),
        after?.(data, context),
        linkedList('Linked from', data.links.backlinks, context.space!.slug),
      ),
    mount(root, data, context) {
      const saver = createSaver(type, data, context)
      mountFields(root, { row: () => data.row, saver, now: context.app.now, signal: context.signal })
      mountBody(root, { type, data, context })
      mountTitle(root, data, saver, context)
      addKeys(root, type, { data, saver }, context)
      mount?.(root, data, context)
    },
    keepsItself: (data) =>
      data.activity.busy || data.activity.editing.size > 0 || (definition.keepsItself?.(data) ?? false),
    affectedBy: (event, data, context) =>
      (event.type === 'entity' && event.data.id === data.row.id) ||
      (definition.affectedBy?.(event, data, context) ?? false),
  })
}

function head({ title }: DetailRow, one: string): HTMLElement {
  return el(
    'header',
    { class: 'detail-head' },
    el(
      'h1',
      { class: 'detail-title', id: 'title' },
      el('button', { type: 'button', id: 'rename', title: 'Rename (r)' }, title),
    ),
    el(
      'button',
      {
        class: 'icon-button',
        type: 'button',
        id: 'history',
        title: 'History (h)',
        'aria-label': `History of this ${one.toLowerCase()}`,
      },
      icon('clock'),
    ),
    el(
      'button',
      {
        class: 'icon-button',
        type: 'button',
        id: 'delete',
        title: 'Delete',
        'aria-label': `Delete this ${one.toLowerCase()}`,
      },
      icon('trash'),
    ),
  )
}

const meta = (row: DetailRow, now: Date) => [
  row.version > 1 ? 'Edited ' : 'Created ',
  timeAgo(row.updated_at, now),
  ` by ${actorName(row.updated_by)}`,
]

function mountTitle<Row extends DetailRow, Extra>(
  root: HTMLElement,
  data: DetailData<Row, Extra>,
  { save }: { save: (fields: Partial<Row>) => void },
  { signal, refresh }: ViewContext,
): void {
  // Loaded behind the page, and there by the time that it is wanted.
  const loading = import('../../ui/components/title-editor.ts')
  const rename = async () => {
    data.activity.editing.add('title')
    const { editTitle } = await loading
    editTitle(root.querySelector<HTMLElement>('#rename'), {
      title: data.row.title,
      name: 'detail-title-field',
      onEnd(title) {
        data.activity.editing.delete('title')
        if (title !== null) save({ title } as Partial<Row>)
        // Shows what changed elsewhere, unless the next edit has begun by then.
        else refresh(() => data.activity.editing.size > 0 || data.activity.busy)
      },
    })
  }
  root.querySelector('#rename')?.addEventListener('click', rename, { signal })
}

function addKeys<Row extends DetailRow, Extra>(
  root: HTMLElement,
  type: DetailDefinition<Row, Extra>['type'],
  { data, saver }: { data: DetailData<Row, Extra>; saver: Saver<Row> },
  { app, signal, space, url }: ViewContext,
): void {
  const { path, one } = kindNames[type]
  const remove = async () => {
    await saver.settled()
    const back = () => app.navigate(url.pathname)
    // The event of its own deletion must not load it again.
    data.activity.busy = true
    const { deleteWithUndo } = await import('../../app/actions/delete-with-undo.ts')
    if (await deleteWithUndo(app, type, data.row, back)) app.navigate(`${spaceHref(space!.slug)}/${path}`)
    else data.activity.busy = false
  }
  const showHistory = async () => {
    const dialog = await import('../../page/history/history-dialog.ts')
    await dialog.showHistory(app, { path: pathOf(type, data.row.id), title: data.row.title })
  }
  root.querySelector('#history')?.addEventListener('click', showHistory, { signal })
  const press = (id: string) => () => root.querySelector<HTMLElement>(id)?.click()
  root.querySelector('#delete')?.addEventListener('click', remove, { signal })
  app.keys.add(
    [
      { key: 'e', label: 'Edit text', run: press('#edit-body'), group: one },
      { key: 'r', label: 'Rename', run: press('#rename'), group: one },
      { key: 'h', label: 'History', run: showHistory, group: one },
      { key: 'Delete', label: 'Move to trash', run: remove, group: one },
    ],
    signal,
  )
}
