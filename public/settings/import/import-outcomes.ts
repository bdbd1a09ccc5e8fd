import type { FileOutcome } from '../../../lib/contract/imports.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { entityHref, withQuery } from '../../ui/words/addresses.ts'

type Listed = FileOutcome & { undone: string | null }

const pageSize = 100

const filters = {
  noted: 'Needs attention',
  all: 'All files',
  created: 'New',
  updated: 'Updated',
  moved: 'Moved',
  unchanged: 'Unchanged',
  conflict: 'Kept your version',
  deleted: 'Kept deleted',
  skipped: 'Skipped',
}

const outcomeNames: Record<string, string> = {
  conflict: 'Kept yours',
  deleted: 'Kept deleted',
  gone: 'Removed',
  moved: 'Moved',
  skipped: 'Skipped',
  unchanged: 'Unchanged',
  updated: 'Updated',
}

/** The outcome of each file of an import, a page at a time; first those that need attention. */
export function renderOutcomes(app: App, { id, slug }: { id: string; slug: string }): HTMLElement {
  const list = el('ul', { class: 'import-notes', tabindex: 0, 'aria-label': 'Files' })
  const empty = el('p', { class: 'dim small', hidden: true })
  const more = el('button', { class: 'button button-small', type: 'button', onclick: load, hidden: true })
  const select = el(
    'select',
    { class: 'field', 'aria-label': 'Filter files', onchange: () => show(null) },
    Object.entries(filters).map(([value, label]) => el('option', { value }, label)),
  )
  more.textContent = 'Show more'
  let cursor: string | null = null
  let requests = 0
  void show(null)
  return el(
    'div',
    { class: 'stack import-outcomes' },
    el('div', {}, select),
    list,
    empty,
    el('div', {}, more),
  )

  async function show(from: string | null): Promise<void> {
    cursor = from
    list.replaceChildren()
    await load()
  }

  async function load(): Promise<void> {
    const mine = ++requests
    const { value } = select
    const filter = value === 'noted' ? { noted: true } : value === 'all' ? {} : { outcome: value }
    more.disabled = true
    try {
      const path = withQuery(`/api/imports/${id}/files`, { ...filter, cursor, limit: pageSize })
      const page = await app.api.get<{ items: Listed[]; next_cursor: string | null }>(path)
      if (mine !== requests) return
      list.append(...page.items.map((outcome) => renderOutcome(outcome, slug)))
      cursor = page.next_cursor
      more.hidden = cursor === null
      empty.hidden = list.children.length > 0
      empty.textContent = value === 'noted' ? 'Nothing needs attention.' : 'No files match.'
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
    more.disabled = false
  }
}

/** A file with its outcome and the reason. */
export function renderOutcome(outcome: FileOutcome & { undone?: string | null }, slug: string): HTMLElement {
  const { entity_type, entity_id, path, reason, warnings, undone } = outcome
  const href = entity_type && entity_id && undone !== 'undone' && entityHref(slug, entity_type, entity_id)
  const notes = [reason, ...warnings].filter((text) => text !== null).join('; ')
  const undoneText = undone === 'undone' ? 'undone' : undone
  return el(
    'li',
    {},
    el(
      'span',
      { class: ['badge', outcome.outcome === 'skipped' && 'badge-amber'] },
      outcomeNames[outcome.outcome] ?? 'New',
    ),
    el(
      'div',
      {},
      el('code', {}, href ? el('a', { href }, visible(path)) : visible(path)),
      ' ',
      visible([notes, undoneText].filter(Boolean).join('; ')),
    ),
  )
}

const labels: readonly (readonly [string, string])[] = [
  ['created', 'new'],
  ['updated', 'updated'],
  ['moved', 'moved'],
  ['unchanged', 'unchanged'],
  ['conflict', 'kept your version'],
  ['deleted', 'kept deleted'],
  ['skipped', 'skipped'],
]

/** How many files had each outcome, without those that none had. */
export const countTexts = (counts: Readonly<Record<string, number>>): string[] =>
  labels.filter(([name]) => (counts[name] ?? 0) > 0).map(([name, label]) => `${counts[name]} ${label}`)

/** Whether an import changed anything that can be undone. */
export const hasChanged = ({ created = 0, updated = 0, moved = 0 }: Record<string, number>): boolean =>
  created + updated + moved > 0
