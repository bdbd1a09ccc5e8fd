// Rows of a list that are selected together: by their boxes, with Shift for all between two, or with `s`. What can be done
// to them stands below the list.

import { type IconName, icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import type { ViewContext } from '../view.ts'

export type ManyAction = {
  label: string
  icon: IconName
  /** Does it to those that are selected; they stay so until it resolves. */
  run: (ids: readonly string[]) => Promise<void>
  /** Also the key of one row: it then does it to all. */
  key?: string
}

export type Selection = {
  /** Puts boxes on rows that were drawn anew; what is gone is no longer selected. */
  draw(): void
  /** The ids of the selected rows, in their order. */
  ids(): string[]
}

type Options = {
  /** Holds the rows, and stays when they are drawn anew. */
  list: HTMLElement
  /** Of a row; its id is in `data-id`. */
  row: string
  titleOf: (row: HTMLElement) => string
  /** Where a box goes, at the beginning; left out: in the row. */
  cell?: (row: HTMLElement) => HTMLElement | null
  actions: readonly ManyAction[]
  context: ViewContext
  /** Of all rows in order, those included that are not in the document. What is selected and not among these stays so. */
  allIds?: () => string[]
}

/** A view that is shown again keeps its selection. */
let lastSelection: { path: string; ids: Set<string> } = { path: '', ids: new Set() }

export function mountSelection(options: Options): Selection {
  const { list, row, actions, context, allIds } = options
  const { signal, url } = context
  const selected = lastSelection.path === url.pathname ? lastSelection.ids : new Set<string>()
  lastSelection = { path: url.pathname, ids: selected }
  const bar = el('div', { class: 'selection-bar', role: 'region', 'aria-label': 'Selection', hidden: true })
  const rows = () => [...list.querySelectorAll<HTMLElement>(row)].filter(({ dataset }) => dataset.id)
  const idsInOrder = () => allIds?.() ?? rows().map(({ dataset }) => dataset.id!)
  const ids = () => {
    const order = idsInOrder()
    const known = new Set(order)
    return [...order.filter((id) => selected.has(id)), ...[...selected].filter((id) => !known.has(id))]
  }
  let last: string | null = null
  let busy = false
  list.after(bar)
  signal.addEventListener('abort', () => bar.remove())
  list.addEventListener('click', onClick, { signal })
  addSelectionKeys(options, { hasAny: () => selected.size > 0, toggle: toggleFocused, clear, act })
  draw()
  return { draw, ids }

  function draw(): void {
    const all = rows()
    const there = new Set(all.map(({ dataset }) => dataset.id!))
    for (const id of selected) if (!allIds && !there.has(id)) selected.delete(id)
    for (const each of all) drawRow(each, selected.has(each.dataset.id!), options)
    list.toggleAttribute('data-selecting', selected.size > 0)
    bar.hidden = selected.size === 0
    bar.replaceChildren(...barContent(selected.size, actions, { busy, act, clear }))
  }

  function clear(): void {
    selected.clear()
    draw()
  }

  async function act(run: ManyAction['run']): Promise<void> {
    if (busy) return
    busy = true
    draw()
    try {
      await run(ids())
    } finally {
      busy = false
      selected.clear()
      if (!signal.aborted) draw()
    }
  }

  function onClick(event: MouseEvent): void {
    if (!(event.target instanceof HTMLInputElement) || !event.target.closest('.row-select')) return
    const id = event.target.closest<HTMLElement>(row)?.dataset.id
    if (id) select(id, event.target.checked, event.shiftKey)
  }

  function toggleFocused(): void {
    const id = document.activeElement?.closest<HTMLElement>(row)?.dataset.id
    if (id) select(id, !selected.has(id), false)
  }

  /** `toLast`: also all between it and the one before. */
  function select(id: string, on: boolean, toLast: boolean): void {
    const all = idsInOrder()
    const from = toLast && last ? all.indexOf(last) : -1
    const to = all.indexOf(id)
    const touched = from === -1 ? [id] : all.slice(Math.min(from, to), Math.max(from, to) + 1)
    for (const each of touched) {
      if (on) selected.add(each)
      else selected.delete(each)
    }
    last = id
    draw()
  }
}

type SelectionKeys = {
  hasAny: () => boolean
  toggle: () => void
  clear: () => void
  act: (run: ManyAction['run']) => void
}

function addSelectionKeys(
  { list, actions, context: { app, signal } }: Options,
  { hasAny, toggle, clear, act }: SelectionKeys,
): void {
  const onAny = actions.flatMap(({ key, label, run }) => (key ? [{ key, label, run: () => act(run) }] : []))
  app.keys.add(
    [
      { key: 's', label: 'Select or deselect', run: toggle, within: list },
      ...[{ key: 'Escape', label: 'Clear selection', run: clear }, ...onAny].map((binding) => ({
        ...binding,
        when: hasAny,
      })),
    ].map((binding) => ({ ...binding, group: 'Selection' })),
    signal,
  )
}

function drawRow(row: HTMLElement, isSelected: boolean, { cell, titleOf }: Options): void {
  row.toggleAttribute('data-selected', isSelected)
  if (row.getAttribute('role') === 'treeitem') row.setAttribute('aria-selected', String(isSelected))
  const place = cell?.(row) ?? row
  const existing = place.querySelector<HTMLInputElement>(':scope > .row-select > input')
  const label = `Select ${titleOf(row)}`
  const box = existing ?? el('input', { class: 'check', type: 'checkbox', tabindex: -1, 'aria-label': label })
  box.checked = isSelected
  if (!existing) place.prepend(el('label', { class: 'row-select' }, box))
}

function barContent(
  count: number,
  actions: readonly ManyAction[],
  { busy, act, clear }: { busy: boolean } & Pick<SelectionKeys, 'act' | 'clear'>,
): HTMLElement[] {
  const button = (label: string, onclick: () => void, name?: IconName) =>
    el(
      'button',
      { class: 'button button-small', type: 'button', disabled: busy, onclick },
      name && icon(name),
      label,
    )
  if (count === 0) return []
  return [
    el('p', { role: 'status' }, `${count} selected`),
    ...actions.map(({ label, icon: name, run }) => button(label, () => act(run), name)),
    button('Clear', clear),
  ]
}
