import type { Entity } from '../../../lib/contract/entities.ts'
import { deleteMany } from '../../app/actions/change-many.ts'
import { deleteWithUndo } from '../../app/actions/delete-with-undo.ts'
import { mountSelection } from '../../app/actions/select-rows.ts'
import type { ViewContext } from '../../app/view.ts'
import { type KindType, kindNames } from '../../ui/words/addresses.ts'

type ListContext = {
  type: KindType
  rows: readonly Entity[]
  startNew: (() => void) | undefined
  context: ViewContext
}

/** The keys of a list, and the delete button of each row. */
export function mountList(root: HTMLElement, { type, rows, startNew, context }: ListContext): void {
  const { app, signal, refresh } = context
  const { many, one } = kindNames[type]
  const titles = () => [...root.querySelectorAll<HTMLElement>('#list .row-title')]
  const at = () => titles().findIndex((title) => idOf(title) === idOf(document.activeElement))
  const step = (by: number) => {
    const all = titles()
    all[at() === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at() + by))]?.focus()
  }

  root.querySelector('#list')?.addEventListener(
    'click',
    ({ target }) => {
      const button = target instanceof Element ? target.closest('[data-do="delete"]') : null
      if (button) remove(idOf(button))
    },
    { signal },
  )
  app.keys.add(
    [
      { key: 'j', label: `Next ${one.toLowerCase()}`, run: () => step(1), group: many },
      { key: 'k', label: `Previous ${one.toLowerCase()}`, run: () => step(-1), group: many },
      {
        key: 'Delete',
        label: 'Move to trash',
        run: () => remove(idOf(document.activeElement)),
        group: many,
      },
      ...(startNew ? [{ key: 'n', label: `New ${one.toLowerCase()}`, run: startNew, group: many }] : []),
    ],
    signal,
  )

  const list = root.querySelector<HTMLElement>('#list')
  if (list)
    mountSelection({
      list,
      row: '.list-row',
      titleOf: (row) => row.querySelector('.row-title')?.textContent ?? '',
      actions: [
        {
          label: 'Move to trash',
          icon: 'trash',
          key: 'Delete',
          run: (ids) =>
            deleteMany(
              app,
              type,
              rows.filter(({ id }) => ids.includes(id)),
              refresh,
            ),
        },
      ],
      context,
    })

  async function remove(id: string | null): Promise<void> {
    const row = rows.find((each) => each.id === id)
    if (!row) return
    const place = at()
    if (!(await deleteWithUndo(app, type, row, refresh))) return
    await refresh()
    const remaining = [...document.querySelectorAll<HTMLElement>('#list .row-title')]
    if (place >= 0) remaining[Math.min(place, remaining.length - 1)]?.focus()
  }
}

const idOf = (node: Element | null): string | null =>
  node?.closest<HTMLElement>('[data-id]')?.dataset.id ?? null
