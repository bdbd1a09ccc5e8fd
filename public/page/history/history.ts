// The versions of a page, newest first: who, when, and what changed.

import type { AuditRow } from '../../../lib/contract/audit.ts'
import type { Page } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { renderDiff } from '../../ui/diff/render-diff.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { actorNameFirst } from '../../ui/words/names.ts'
import { renderCrumbs } from '../data/crumbs.ts'
import { auditPath, changePage, type PageHistory } from '../data/page-data.ts'
import {
  comparable,
  describeVersion,
  groupVersions,
  renderCompare,
  renderReason,
  renderUndo,
  type Version,
} from './versions.ts'

export function renderHistory(data: PageHistory, context: ViewContext): Child {
  const { page, place, audit, history } = data
  const { app, space, url } = context
  const versions = groupVersions(audit.items)
  return el(
    'section',
    { class: 'history', 'aria-labelledby': 'history-title' },
    el(
      'header',
      { class: 'page-head' },
      renderCrumbs(space!, { ...place, above: [...place.above, { id: page.id, title: page.title }] }),
      el(
        'div',
        { class: 'page-title-row' },
        el('h1', { class: 'page-title', id: 'history-title' }, 'History'),
        el(
          'div',
          { class: 'page-actions' },
          el('a', { class: 'button button-small', href: url.pathname }, 'Close history'),
        ),
      ),
    ),
    renderCompare(app, `/api/pages/${page.id}`, comparable(history.items)),
    el(
      'ol',
      { class: 'versions', id: 'versions' },
      versions.map((version, index) => versionItem(version, { data, context, open: index === 0 })),
    ),
    audit.next_cursor &&
      el(
        'button',
        { class: 'button', type: 'button', id: 'older-versions', 'data-cursor': audit.next_cursor },
        'Show older',
      ),
  )
}

export function mountHistory(root: HTMLElement, data: PageHistory, context: ViewContext): void {
  const { page } = data
  const { app, signal, url } = context
  const more = root.querySelector<HTMLButtonElement>('#older-versions')
  more?.addEventListener(
    'click',
    async () => {
      more.disabled = true
      try {
        const path = auditPath(page.id, more.dataset.cursor ?? null)
        const { items, next_cursor } = await app.api.get<List<AuditRow>>(path)
        const nodes = groupVersions(items).map((version) =>
          versionItem(version, { data, context, open: false }),
        )
        root.querySelector('#versions')?.append(...nodes)
        nodes[0]?.querySelector<HTMLElement>('summary')?.focus()
        more.dataset.cursor = next_cursor ?? ''
        more.hidden = next_cursor === null
      } catch (error) {
        app.toast(messageOf(error), { tone: 'problem' })
      }
      more.disabled = false
    },
    { signal },
  )
  app.keys.add(
    [
      {
        key: 'Escape',
        label: 'Close history',
        group: 'This page',
        run: () => app.navigate(url.pathname),
      },
    ],
    signal,
  )
}

type ItemContext = { data: PageHistory; context: ViewContext; open: boolean }

/** A version and, once it is opened, what it changed: a diff of a long page takes a while to make. */
function versionItem(version: Version, { data, context, open }: ItemContext): HTMLLIElement {
  const { now } = context
  const detail = el(
    'div',
    { class: 'version-detail' },
    open && renderChange(version, { data, context, open }),
  )
  return el(
    'li',
    { class: 'version' },
    el(
      'details',
      {
        id: `version-${version.seq}`,
        open,
        ontoggle: (event: ToggleEvent) => {
          if (event.newState !== 'open' || detail.childElementCount > 0) return
          detail.append(renderChange(version, { data, context, open: true }))
        },
      },
      el(
        'summary',
        {},
        icon('chevronRight'),
        el(
          'span',
          { class: 'version-what' },
          el('strong', {}, actorNameFirst(version.actor)),
          ` ${describeVersion(version)}`,
        ),
        version.saves > 1 && el('span', { class: 'badge' }, `${version.saves} saves`),
        timeAgo(version.at, now),
      ),
      detail,
    ),
  )
}

function renderChange(version: Version, item: ItemContext): HTMLElement {
  const { before, after, seq, since } = version
  const { data, context } = item
  const isOlder = typeof after.body === 'string' && after.body !== data.page.body
  const entry = data.history.items.find((each) => each.seq === seq)
  const undoable = { seq, undone: entry?.undone ?? null, ...(since < seq ? { since } : {}) }
  const body = sides(before.body, after.body)
  const title = version.action === 'update' ? sides(before.title, after.title) : null
  return el(
    'div',
    { class: 'version-change' },
    title && el('p', { class: 'version-title' }, el('del', {}, title[0]), ' → ', el('ins', {}, title[1])),
    body
      ? renderDiff(body[0], body[1], `version-${version.seq}-diff`)
      : !title && el('p', { class: 'dim small' }, 'No changes to the text.'),
    renderReason(entry?.reason ?? null),
    el(
      'div',
      { class: 'row' },
      version.action !== 'redact' && renderUndo(context.app, undoable, () => void context.refresh()),
      isOlder && restoreButton(version, item),
    ),
  )
}

/** Both sides as text, where there is a side at all. */
function sides(before: unknown, after: unknown): [string, string] | null {
  if (typeof before !== 'string' && typeof after !== 'string') return null
  return [typeof before === 'string' ? before : '', typeof after === 'string' ? after : '']
}

function restoreButton({ after }: Version, { data: { page }, context }: ItemContext): HTMLElement {
  const { app, refresh } = context
  const restore = async (base: Page, body: string) => {
    const changed = await changePage(app, base, { body })
    await refresh()
    return changed
  }
  const run = async () => {
    try {
      const changed = await restore(page, String(after.body))
      app.toast('Restored this version.', {
        action: { label: 'Undo', run: () => restore(changed, page.body).then(() => {}, toastError) },
      })
    } catch (error) {
      toastError(error)
    }
  }
  const toastError = (error: unknown) =>
    app.toast(`Could not restore this version. ${messageOf(error)}`, { tone: 'problem' })
  return el(
    'button',
    { class: 'button button-small', type: 'button', onclick: run },
    icon('restore'),
    'Restore this version',
  )
}
