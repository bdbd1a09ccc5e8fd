// Where a page shall stand: a tree to choose from, found through by typing. The focus stays in the field; the arrow
// keys walk the tree.

import type { FoundPage, Page, Space, TreePage } from '../../lib/contract/entities.ts'
import { messageOf, withQuery } from '../api.ts'
import type { App } from '../app.ts'
import { showDialog } from '../components/dialog.ts'
import { icon, kindIcon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { createPageLevels, type TreeRow } from './page-levels.ts'

export type ChosenParent = { id: string | null; title: string }

type Choice = ChosenParent & { depth: number; path: string; row: TreeRow | null }

/** Resolves to the page that shall stand above this one (`id` null: none), or to `null` when it stays. */
export function askForParent(app: App, space: Space, page: Page): Promise<ChosenParent | null> {
  return new Promise((resolve) => {
    let chosen: ChosenParent | null = null
    const list = el('div', { class: 'move-list', id: 'move-list', role: 'tree', 'aria-label': 'Pages' })
    const field = el('input', {
      class: 'field',
      id: 'move-field',
      role: 'combobox',
      placeholder: 'Find a page by its title',
      'aria-label': `Page to put “${page.title}” below`,
      'aria-expanded': true,
      'aria-controls': 'move-list',
      autocomplete: 'off',
      autofocus: true,
    })
    const dialog = showDialog(
      { title: `Move “${page.title}”`, name: 'move', onClose: () => resolve(chosen) },
      field,
      list,
      el(
        'p',
        { class: 'dim small' },
        '↑ ↓ choose, → ← open and close, Enter moves, Escape leaves it where it is.',
      ),
    )
    mountChooser({
      app,
      space,
      page,
      field,
      list,
      onChoice: ({ id, title }) => {
        chosen = { id, title }
        dialog.close()
      },
    })
  })
}

type Chooser = {
  app: App
  space: Space
  page: Page
  field: HTMLInputElement
  list: HTMLElement
  onChoice: (choice: Choice) => void
}

async function mountChooser({ app, space, page, field, list, onChoice }: Chooser): Promise<void> {
  const base = `/api/spaces/${space.id}`
  let levels = createPageLevels([])
  let choices: Choice[] = []
  let active = 0
  field.addEventListener('input', look)
  field.addEventListener('keydown', onKey)
  try {
    levels = createPageLevels((await app.api.get<{ items: TreePage[] }>(`${base}/page-tree?levels=2`)).items)
  } catch (error) {
    list.replaceChildren(el('p', { class: 'problem', role: 'alert' }, messageOf(error)))
    return
  }
  showTree()

  function showTree(): void {
    const hidden = new Set([page.id])
    const rows = levels.rows().filter((row) => {
      // Nothing can stand below itself, so neither it nor what is below it is on offer.
      const isBelow = row.page.parent_id !== null && hidden.has(row.page.parent_id)
      if (isBelow) hidden.add(row.page.id)
      return !hidden.has(row.page.id)
    })
    choices = [
      { id: null, title: 'Top of the Space', depth: 0, path: '', row: null },
      ...rows.map((row) => ({ id: row.page.id, title: row.page.title, depth: row.depth, path: '', row })),
    ]
    draw()
  }

  async function look(): Promise<void> {
    const q = field.value.trim()
    active = 0
    if (q === '') return showTree()
    try {
      const { items } = await app.api.get<{ items: FoundPage[] }>(withQuery(`${base}/page-titles`, { q }))
      if (field.value.trim() !== q) return
      choices = items
        .filter(({ id, above }) => id !== page.id && !above.some((each) => each.id === page.id))
        .map(({ id, title, above }) => ({
          ...{ id, title, depth: 0, row: null },
          path: above.map((each) => each.title).join(' › '),
        }))
      draw()
    } catch (error) {
      list.replaceChildren(el('p', { class: 'problem', role: 'alert' }, messageOf(error)))
    }
  }

  function draw(): void {
    active = Math.max(0, Math.min(active, choices.length - 1))
    list.replaceChildren(
      ...choices.map(option),
      ...(choices.length === 0 ? [el('p', { class: 'dim' }, 'No page has that in its title.')] : []),
    )
    mark()
  }

  function option(choice: Choice, index: number): HTMLElement {
    const { id, title, depth, path, row } = choice
    const isHere = id === page.parent_id
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
        onclick: () => pick(index),
      },
      el(
        'span',
        {
          class: 'page-row-toggle',
          'aria-hidden': true,
          onclick: (event: Event) => row && openLevel(event, row),
        },
        row?.page.has_children && icon('chevronRight'),
      ),
      id === null ? icon('home') : kindIcon('page'),
      el('span', { class: 'move-title' }, title),
      path && el('span', { class: 'dim small found-path' }, path),
      isHere && el('span', { class: 'badge' }, 'it is here'),
    )
  }

  function mark(): void {
    list.querySelector('[aria-selected="true"]')?.setAttribute('aria-selected', 'false')
    const at = list.querySelector(`#move-${active}`)
    at?.setAttribute('aria-selected', 'true')
    at?.scrollIntoView({ block: 'nearest' })
    field.setAttribute('aria-activedescendant', at ? `move-${active}` : '')
  }

  function pick(index: number): void {
    const choice = choices[index]
    if (choice) onChoice(choice)
  }

  async function openLevel(event: Event, row: TreeRow, open = !row.open): Promise<void> {
    event.preventDefault()
    event.stopPropagation()
    const { id } = row.page
    try {
      if (open && !levels.level(id)) {
        levels.setLevel(id, (await app.api.get<{ items: TreePage[] }>(`${base}/page-tree?below=${id}`)).items)
      }
      levels.setOpen(id, open)
      showTree()
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }

  function onKey(event: KeyboardEvent): void {
    const row = choices[active]?.row
    const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (steps !== undefined) {
      event.preventDefault()
      active = Math.max(0, Math.min(choices.length - 1, active + steps))
      mark()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      pick(active)
    } else if (field.value === '' && row?.page.has_children) {
      if (event.key === 'ArrowRight' && !row.open) openLevel(event, row, true)
      if (event.key === 'ArrowLeft' && row.open) openLevel(event, row, false)
    }
  }
}
