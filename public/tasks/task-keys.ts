import type { ViewContext } from '../app/view.ts'
import { statuses, statusNames } from '../ui/words/names.ts'
import type { TaskActions } from './task-actions.ts'

/** The keys of a list or a board of tasks. They work on the task that has the focus. */
export function addTaskKeys(list: HTMLElement, actions: TaskActions, { app, signal }: ViewContext): void {
  const group = 'Tasks'
  const onCurrent = (run: (id: string) => void) => () => {
    const id = currentId(list)
    if (id) run(id)
  }

  app.keys.add(
    [
      { key: 'j', label: 'Next task', run: () => step(list, 1), group },
      { key: 'k', label: 'Previous task', run: () => step(list, -1), group },
      { key: 'x', label: 'Mark done or reopen (also Space)', run: onCurrent(actions.toggle), group },
      ...statuses.map((status, index) => ({
        key: String(index + 1),
        label: statusNames[status],
        run: onCurrent((id) => actions.setStatus(id, status)),
        group,
      })),
      { key: 'd', label: 'Set due date', run: onCurrent(actions.askDue), group },
      { key: 'p', label: 'Next priority', run: onCurrent(actions.raise), group },
      { key: 'Delete', label: 'Move to trash', run: onCurrent(actions.remove), group },
      { key: 'n', label: 'New task', run: focusQuickAdd, group },
    ],
    signal,
  )
  if (list.querySelector('.board')) addBoardKeys(list, actions, { app, signal })
  // Where a title has the focus; on a button Space presses the button.
  list.addEventListener(
    'keydown',
    (event) => {
      const id =
        event.target instanceof Element && event.target.matches('.task-title') && taskIdOf(event.target)
      if (event.key !== ' ' || !id) return
      event.preventDefault()
      actions.toggle(id)
    },
    { signal },
  )
}

function addBoardKeys(
  list: HTMLElement,
  actions: TaskActions,
  { app, signal }: Pick<ViewContext, 'app' | 'signal'>,
): void {
  const group = 'Board'
  const move = (by: number) => () => {
    const id = currentId(list)
    const columns: readonly (string | undefined)[] = statuses
    const at = columns.indexOf(columnOf(list)?.dataset.status)
    const next = statuses[at + by]
    if (id && at >= 0 && next) actions.setStatus(id, next)
  }
  app.keys.add(
    [
      { key: 'ArrowDown', label: 'Next card', run: () => step(list, 1), group, within: list },
      { key: 'ArrowUp', label: 'Previous card', run: () => step(list, -1), group, within: list },
      { key: 'ArrowRight', label: 'Next column', run: () => jump(list, 1), group, within: list },
      { key: 'ArrowLeft', label: 'Previous column', run: () => jump(list, -1), group, within: list },
      { key: 'Shift+ArrowRight', label: 'Move card right', run: move(1), group, within: list },
      { key: 'Shift+ArrowLeft', label: 'Move card left', run: move(-1), group, within: list },
    ],
    signal,
  )
}

const currentId = (list: HTMLElement) => {
  const focused = document.activeElement
  return focused && list.contains(focused) ? taskIdOf(focused) : null
}

const columnOf = (list: HTMLElement) => {
  const focused = document.activeElement
  return focused && list.contains(focused) ? focused.closest<HTMLElement>('.board-column') : null
}

function step(list: HTMLElement, by: number): void {
  const titles = visibleTitles(columnOf(list) ?? list)
  const at = titles.findIndex((title) => taskIdOf(title) === currentId(list))
  const to = at === -1 ? 0 : Math.min(titles.length - 1, Math.max(0, at + by))
  titles[to]?.focus()
}

/** To the nearest card of the next column that has any. */
function jump(list: HTMLElement, by: number): void {
  const columns = [...list.querySelectorAll<HTMLElement>('.board-column')]
  const here = columnOf(list)
  const row = here ? visibleTitles(here).findIndex((title) => taskIdOf(title) === currentId(list)) : 0
  for (let at = columns.indexOf(here!) + by; columns[at]; at += by) {
    const titles = visibleTitles(columns[at]!)
    if (titles.length === 0) continue
    titles[Math.min(row, titles.length - 1)]!.focus()
    return
  }
}

const focusQuickAdd = () => document.querySelector<HTMLElement>('#quick-add')?.focus()

/** The id of the task that a node belongs to. */
export const taskIdOf = (node: Element): string | null =>
  node.closest<HTMLElement>('[data-task]')?.dataset.task ?? null

/** The titles that can be focused, from top to bottom. */
export const visibleTitles = (list: HTMLElement): HTMLElement[] =>
  [...list.querySelectorAll<HTMLElement>('.task-title')].filter((title) => title.checkVisibility())

/** The button of a task's due date; where it is not drawn, what holds the tasks. */
export const dueButtonOf = (list: HTMLElement, id: string): HTMLElement =>
  list.querySelector<HTMLElement>(`[data-task="${id}"] .task-due`) ?? list
