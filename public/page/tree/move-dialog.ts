// Chooses a new parent page: a tree, filtered by typing. The focus stays in the field; the arrow keys move through the
// tree.

import type { Page, Space } from '../../../lib/contract/entities.ts'
import type { FoundPage } from '../../../lib/contract/space/pages.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { loadLevels, setLevelOpen, type TreeLevel, type TreeRow } from '../../app/tree-levels.ts'
import { createTreeView } from '../../app/tree-view.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { withQuery } from '../../ui/words/addresses.ts'

export type ChosenParent = { id: string | null; title: string }

/** Resolves to the new parent (`id` null: the top level), or to `null` when it is cancelled. */
export function askForParent(app: App, space: Space, pages: readonly Page[]): Promise<ChosenParent | null> {
  const { promise, resolve } = Promise.withResolvers<ChosenParent | null>()
  const [first] = pages
  const what = pages.length === 1 && first ? quoteShown(first.title) : `${pages.length} pages`
  const list = el('div', { class: 'move-list', id: 'move-list', role: 'tree', 'aria-label': 'Pages' })
  const field = el('input', {
    class: 'field',
    id: 'move-field',
    role: 'combobox',
    placeholder: 'Find a page by title',
    'aria-label': `New parent page of ${what}`,
    'aria-expanded': true,
    'aria-controls': 'move-list',
    autocomplete: 'off',
    autofocus: true,
  })
  const ended = new AbortController()
  const onClose = () => {
    resolve(null)
    ended.abort()
  }
  const dialog = showDialog(
    { title: `Move ${what}`, name: 'move', onClose },
    field,
    list,
    el(
      'p',
      { class: 'dim small' },
      '↑ ↓ to choose, → ← to expand and collapse, Enter to move, Escape to cancel.',
    ),
  )
  mountParentChooser(
    { field, list },
    {
      app,
      space,
      pages,
      signal: ended.signal,
      onChoice({ id, title }) {
        resolve({ id, title })
        dialog.close()
      },
    },
  )
  return promise
}

type Chooser = {
  app: App
  space: Space
  pages: readonly Page[]
  signal: AbortSignal
  onChoice: (choice: ParentChoice) => void
}

/** The choices in a list, chosen with the keys of the field or by a click. */
async function mountParentChooser(
  { field, list }: { field: HTMLInputElement; list: HTMLElement },
  { app, space, pages, signal, onChoice }: Chooser,
): Promise<void> {
  const moved = new Set(pages.map(({ id }) => id))
  const top = el('div', { role: 'none' })
  const levels = el('div', { role: 'none' })
  const matches = el('div', { role: 'none' })
  let tree: readonly TreeLevel[] = []
  let found: ParentChoice[] | null = null
  let active = 0
  const view = createTreeView({
    app,
    space,
    signal,
    list: levels,
    tree: {
      get: () => tree,
      set(next) {
        tree = next
        view.draw()
      },
    },
    render: (row, index) => renderOne(choiceOf(row), index + 1),
    onDrawn: mark,
  })
  list.replaceChildren(top, levels)
  field.addEventListener('input', () => find().catch(fail))
  field.addEventListener('keydown', onKey)
  try {
    tree = await loadLevels(app.api, space.id, { levels: 2 })
  } catch (error) {
    fail(error)
    return
  }
  // No page becomes a child of itself, or of what is below it.
  for (const id of moved) tree = setLevelOpen(tree, id, false)
  top.replaceChildren(renderOne(topLevel, 0))
  view.draw()

  function fail(error: unknown): void {
    list.replaceChildren(el('p', { class: 'problem', role: 'alert' }, messageOf(error)))
  }

  function choiceAt(index: number): ParentChoice | null {
    if (found) return found[index] ?? null
    if (index === 0) return topLevel
    const row = view.rows().at(index - 1)
    return row?.page ? choiceOf(row) : null
  }

  function choiceOf(row: TreeRow): ParentChoice {
    const { page, depth } = row
    const isMoved = page !== null && moved.has(page.id)
    return { id: page?.id ?? null, title: page?.title ?? '', depth, path: '', row, isMoved }
  }

  function renderOne(choice: ParentChoice, index: number): HTMLElement {
    const isCurrent = pages.every(({ parent_id }) => choice.id === parent_id)
    return renderChoice(choice, { index, isCurrent, onPick: pick, onToggle: toggle })
  }

  async function find(): Promise<void> {
    const q = field.value.trim()
    const next = q === '' ? null : await findParents(app, space, { q, moved })
    if (field.value.trim() !== q || signal.aborted) return
    found = next
    list.replaceChildren(...(found ? [matches] : [top, levels]))
    matches.replaceChildren(...(found ?? []).map(renderOne))
    if (found?.length === 0) matches.append(el('p', { class: 'dim' }, 'No pages match.'))
    setActive(0)
  }

  function setActive(index: number): void {
    active = index
    const id = choiceAt(index)?.row?.page?.id
    if (id) view.show(id)
    mark()
    list.querySelector(`#move-${active}`)?.scrollIntoView({ block: 'nearest' })
  }

  function mark(): void {
    const option = list.querySelector(`#move-${active}`)
    for (const each of list.querySelectorAll('[aria-selected="true"]'))
      if (each !== option) each.setAttribute('aria-selected', 'false')
    option?.setAttribute('aria-selected', 'true')
    field.setAttribute('aria-activedescendant', option ? option.id : '')
  }

  /** To the next that can be chosen; what is not loaded yet is on its way. */
  function step(by: number): void {
    let to = active + by
    while (choiceAt(to)?.isMoved) to += by
    if (choiceAt(to)) setActive(to)
  }

  function pick(index: number): void {
    const choice = choiceAt(index)
    if (choice && !choice.isMoved) onChoice(choice)
  }

  function toggle(event: Event, row: TreeRow): void {
    event.preventDefault()
    event.stopPropagation()
    void view.toggle(row)
  }

  function onKey(event: KeyboardEvent): void {
    const { row = null, isMoved = false } = choiceAt(active) ?? {}
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) {
      event.preventDefault()
      step(by)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      pick(active)
    } else if (field.value === '' && row?.page?.has_children && !isMoved) {
      if (event.key === (row.open ? 'ArrowLeft' : 'ArrowRight')) toggle(event, row)
    }
  }
}

type ChoiceOptions = {
  index: number
  /** Whether it is the parent now. */
  isCurrent: boolean
  onPick: (index: number) => void
  onToggle: (event: Event, row: TreeRow) => void
}

function renderChoice(
  { id, title, depth, path, row, isMoved }: ParentChoice,
  { index, isCurrent, onPick, onToggle }: ChoiceOptions,
): HTMLElement {
  const page = row?.page
  const opens = page?.has_children && !isMoved
  return el(
    'div',
    {
      class: 'move-choice',
      id: `move-${index}`,
      role: 'treeitem',
      'aria-level': depth + 1,
      'aria-posinset': row && row.place + 1,
      'aria-setsize': row?.count,
      'aria-selected': false,
      'aria-disabled': isMoved ? 'true' : null,
      'aria-expanded': opens ? row?.open : null,
      'data-depth': Math.min(depth, 8),
      'data-row': row && index - 1,
      'data-page': page?.id,
      onclick: () => onPick(index),
    },
    el(
      'span',
      {
        class: 'page-row-toggle',
        'aria-hidden': true,
        onclick: (event: Event) => opens && row && onToggle(event, row),
      },
      opens && icon('chevronRight'),
    ),
    id === null && !row ? icon('home') : kindIcon('page'),
    el('span', { class: 'move-title' }, title || '\u00a0'),
    path && el('span', { class: 'dim small found-path' }, path),
    isCurrent && el('span', { class: 'badge' }, 'current'),
  )
}

type ParentChoice = {
  /** `null`: the top level. */
  id: string | null
  title: string
  depth: number
  /** The pages above a found one. */
  path: string
  /** Its row of the tree; `null` for a found page. */
  row: TreeRow | null
  /** It is one of those that are moved, and cannot be chosen. */
  isMoved: boolean
}

const topLevel: ParentChoice = { id: null, title: 'Top level', depth: 0, path: '', row: null, isMoved: false }

/** Pages with a title like this that may become the parent: all but those that are moved and those below them. */
async function findParents(
  { api }: App,
  space: Space,
  { q, moved }: { q: string; moved: ReadonlySet<string> },
): Promise<ParentChoice[]> {
  const path = withQuery(`/api/spaces/${space.id}/page-titles`, { q })
  const { items } = await api.get<{ items: FoundPage[] }>(path)
  return items
    .filter(({ id, above }) => ![id, ...above.map((each) => each.id)].some((each) => moved.has(each)))
    .map(({ id, title, above }) => ({
      id,
      title,
      depth: 0,
      path: above.map((each) => each.title).join(' › '),
      row: null,
      isMoved: false,
    }))
}
