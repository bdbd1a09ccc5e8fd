import type { Page, Space } from '../../../lib/contract/entities.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import type { TreeRow } from './page-levels.ts'
import { createParentChoices, type ParentChoice } from './parent-choices.ts'

type Chooser = { app: App; space: Space; pages: readonly Page[]; onChoice: (choice: ParentChoice) => void }

/** The choices in a list, chosen with the keys of the field or by a click. */
export async function mountParentChooser(
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
    const found = q === '' ? parents.tree() : await parents.find(q)
    if (field.value.trim() === q) show(found)
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

  async function toggle(event: Event, row: TreeRow, open: boolean): Promise<void> {
    event.preventDefault()
    event.stopPropagation()
    try {
      await parents.setOpen(row, open)
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
  onToggle: (event: Event, row: TreeRow, open: boolean) => void
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
