import type { FileOutcome } from '../../lib/import/outcome.ts'
import { entityHref } from '../addresses.ts'
import { messageOf, withQuery } from '../api.ts'
import type { App } from '../app.ts'
import { visible } from '../components/visible.ts'
import { el } from '../dom.ts'

type Listed = FileOutcome & { undone: string | null }

const perPage = 100
const filters = {
  noted: 'To look at',
  all: 'All files',
  created: 'New',
  updated: 'Updated',
  moved: 'Moved',
  unchanged: 'Unchanged',
  conflict: 'Left as you changed them',
  deleted: 'Left deleted',
  joined: 'Part of a conversation',
  skipped: 'Skipped',
}
const outcomeWords: Record<string, string> = {
  conflict: 'Kept',
  deleted: 'Left deleted',
  gone: 'Gone',
  joined: 'Joined',
  moved: 'Moved',
  skipped: 'Skipped',
  unchanged: 'Unchanged',
  updated: 'Updated',
}

/** What became of the files of an import and why, a page at a time; first what a person should look at. */
export function renderOutcomes(app: App, { id, slug }: { id: string; slug: string }): HTMLElement {
  const list = el('ul', { class: 'import-notes', tabindex: 0, 'aria-label': 'Files' })
  const empty = el('p', { class: 'dim small', hidden: true }, 'None.')
  const more = el('button', { class: 'button button-small', type: 'button', onclick: load, hidden: true })
  const select = el(
    'select',
    { class: 'filter', 'aria-label': 'Which files', onchange: () => show(null) },
    Object.entries(filters).map(([value, label]) => el('option', { value }, label)),
  )
  more.textContent = 'Show more'
  let cursor: string | null = null
  let asked = 0
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
    const mine = ++asked
    const { value } = select
    const filter = value === 'noted' ? { noted: true } : value === 'all' ? {} : { outcome: value }
    more.disabled = true
    try {
      const path = withQuery(`/api/imports/${id}/files`, { ...filter, cursor, limit: perPage })
      const page = await app.api.get<{ items: Listed[]; next_cursor: string | null }>(path)
      if (mine !== asked) return
      list.append(...page.items.map((outcome) => renderOutcome(outcome, slug)))
      cursor = page.next_cursor
      more.hidden = cursor === null
      empty.hidden = list.children.length > 0
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
    more.disabled = false
  }
}

/** A file, what became of it, and why. */
export function renderOutcome(outcome: FileOutcome & { undone?: string | null }, slug: string): HTMLElement {
  const { entity_type, entity_id, path, reason, warnings, undone } = outcome
  const href = entity_type && entity_id && undone !== 'undone' && entityHref(slug, entity_type, entity_id)
  const said = [reason, ...warnings].filter((text) => text !== null).join('; ')
  const taken = undone === 'undone' ? 'taken back' : undone
  return el(
    'li',
    {},
    el(
      'span',
      { class: ['badge', outcome.outcome === 'skipped' && 'badge-amber'] },
      outcomeWords[outcome.outcome] ?? 'New',
    ),
    el(
      'div',
      {},
      el('code', {}, href ? el('a', { href }, visible(path)) : visible(path)),
      ' ',
      visible([said, taken].filter(Boolean).join('; ')),
    ),
  )
}
