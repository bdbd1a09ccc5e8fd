// Chooses a new parent page: a tree, filtered by typing. The focus stays in the field; the arrow keys move through the
// tree.

import type { Page, Space } from '../../../lib/contract/entities.ts'
import type { FoundPage, TreePage } from '../../../lib/contract/space/pages.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { type Api, messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { loadLevels, putLevels, setLevelOpen, type TreeRow, treeRows } from '../../app/tree-levels.ts'
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
  const dialog = showDialog(
    { title: `Move ${what}`, name: 'move', onClose: () => resolve(null) },
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
      onChoice({ id, title }) {
        resolve({ id, title })
        dialog.close()
      },
    },
  )
  return promise
}

type Chooser = { app: App; space: Space; pages: readonly Page[]; onChoice: (choice: ParentChoice) => void }

/** The choices in a list, chosen with the keys of the field or by a click. */
async function mountParentChooser(
  { field, list }: { field: HTMLInputElement; list: HTMLElement },
  { app, space, pages, onChoice }: Chooser,
): Promise<void> {
  const parents = createParentChoices(app.api, space, new Set(pages.map(({ id }) => id)))
  const fail = (error: unknown) =>
    list.replaceChildren(el('p', { class: 'problem', role: 'alert' }, messageOf(error)))
  let choices: ParentChoice[] = []
  let active = 0
  field.addEventListener('input', () => find().catch(fail))
  field.addEventListener('keydown', onKey)
  await parents.load().then(() => show(parents.tree()), fail)

  async function find(): Promise<void> {
    const q = field.value.trim()
    active = 0
    const matches = q === '' ? parents.tree() : await parents.find(q)
    if (field.value.trim() === q) show(matches)
  }

  function show(next: ParentChoice[]): void {
    choices = next
    const empty = el('p', { class: 'dim' }, 'No pages match.')
    const options = choices.map((choice, index) =>
      renderChoice(choice, {
        index,
        isCurrent: pages.every(({ parent_id }) => choice.id === parent_id),
        onPick: pick,
        onToggle: toggle,
      }),
    )
    list.replaceChildren(...(options.length > 0 ? options : [empty]))
    setActive(active)
  }

  function setActive(index: number): void {
    active = Math.max(0, Math.min(index, choices.length - 1))
    list.querySelector('[aria-selected="true"]')?.setAttribute('aria-selected', 'false')
    const option = list.querySelector(`#move-${active}`)
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    field.setAttribute('aria-activedescendant', option ? `move-${active}` : '')
  }

  function pick(index: number): void {
    const choice = choices[index]
    if (choice) onChoice(choice)
  }

  async function toggle(event: Event, row: LoadedRow, open: boolean): Promise<void> {
    event.preventDefault()
    event.stopPropagation()
    try {
      await parents.setOpen(row.page, open)
      show(parents.tree())
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }

  function onKey(event: KeyboardEvent): void {
    const row = choices[active]?.row
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setActive(active + step)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      pick(active)
    } else if (field.value === '' && row?.page.has_children) {
      if (event.key === 'ArrowRight' && !row.open) toggle(event, row, true)
      if (event.key === 'ArrowLeft' && row.open) toggle(event, row, false)
    }
  }
}

type ChoiceOptions = {
  index: number
  /** Whether it is the parent now. */
  isCurrent: boolean
  onPick: (index: number) => void
  onToggle: (event: Event, row: LoadedRow, open: boolean) => void
}

function renderChoice(
  { id, title, depth, path, row }: ParentChoice,
  { index, isCurrent, onPick, onToggle }: ChoiceOptions,
): HTMLElement {
  return el(
    'div',
    {
      class: 'move-choice',
      id: `move-${index}`,
      role: 'treeitem',
      'aria-level': depth + 1,
      'aria-selected': false,
      'aria-expanded': row?.page.has_children ? row.open : null,
      'data-depth': Math.min(depth, 8),
      onclick: () => onPick(index),
    },
    el(
      'span',
      {
        class: 'page-row-toggle',
        'aria-hidden': true,
        onclick: (event: Event) => row && onToggle(event, row, !row.open),
      },
      row?.page.has_children && icon('chevronRight'),
    ),
    id === null ? icon('home') : kindIcon('page'),
    el('span', { class: 'move-title' }, title),
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
  row: LoadedRow | null
}

type LoadedRow = TreeRow & { page: TreePage }

/** The others are found by typing. */
const maxListed = 1000

/** The pages that may become the parent of some pages: all but these and those below them. */
function createParentChoices(api: Pick<Api, 'get'>, space: Space, moved: ReadonlySet<string>) {
  const base = `/api/spaces/${space.id}`
  let levels = putLevels([], [])

  return {
    async load(): Promise<void> {
      levels = await loadLevels(api, space.id, { levels: 2 })
    },

    tree(): ParentChoice[] {
      const hidden = new Set(moved)
      const all = treeRows(levels)
      const rows: LoadedRow[] = []
      for (let index = 0; index < all.count && rows.length < maxListed; index += 1) {
        const row = all.at(index)!
        if (row.page === null) continue
        if (row.parentId !== null && hidden.has(row.parentId)) hidden.add(row.page.id)
        if (!hidden.has(row.page.id)) rows.push({ ...row, page: row.page })
      }
      return [
        { id: null, title: 'Top level', depth: 0, path: '', row: null },
        ...rows.map((row) => ({
          id: row.page.id,
          title: row.page.title,
          depth: row.depth,
          path: '',
          row,
        })),
      ]
    },

    async find(q: string): Promise<ParentChoice[]> {
      const { items } = await api.get<{ items: FoundPage[] }>(withQuery(`${base}/page-titles`, { q }))
      return items
        .filter(({ id, above }) => ![id, ...above.map((each) => each.id)].some((each) => moved.has(each)))
        .map(({ id, title, above }) => ({
          id,
          title,
          depth: 0,
          row: null,
          path: above.map((each) => each.title).join(' › '),
        }))
    },

    async setOpen({ id }: TreePage, open: boolean): Promise<void> {
      if (open && !levels.some(({ parent_id }) => parent_id === id))
        levels = putLevels(levels, await loadLevels(api, space.id, { below: id, from: 0 }))
      levels = setLevelOpen(levels, id, open)
    },
  }
}
