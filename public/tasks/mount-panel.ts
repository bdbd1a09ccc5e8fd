import type { TaskStatus } from '../../lib/contract/entities.ts'
import { quoteShown } from '../../lib/core/text/quote-name.ts'
import { mountSelection, type Selection } from '../app/actions/select-rows.ts'
import type { App } from '../app/app.ts'
import { changeQuery, type ViewContext } from '../app/view.ts'
import { flatten } from '../ui/dom.ts'
import { rerender } from '../ui/rerender.ts'
import { priorities, statusNames } from '../ui/words/names.ts'
import { mountQuickAdd } from './quick-add.ts'
import { renderTasks } from './render-tasks.ts'
import { manyTasks, type TaskActions } from './task-actions.ts'
import { createTaskChanges, type TaskChanges } from './task-changes.ts'
import { addTaskKeys, dueButtonOf, taskIdOf, visibleTitles } from './task-keys.ts'
import { activeStep, closedStep, findTask, type TaskPanel } from './task-panel.ts'

/** Makes the tasks in `#tasks` live, and the field above them. */
export function mountPanel(root: HTMLElement, panel: TaskPanel, context: ViewContext): void {
  const { app, space, signal, now } = context
  const list = root.querySelector<HTMLElement>('#tasks')
  if (!list) return
  let selection: Selection | null = null
  const draw = () => {
    redraw(list, panel, { slug: space!.slug, now })
    selection?.draw()
  }
  const changes = createTaskChanges(panel, context, draw)
  const actions: TaskActions = {
    toggle: (id) => actions.setStatus(id, findTask(panel.groups, id)?.status === 'done' ? 'open' : 'done'),
    setStatus(id, status) {
      const task = findTask(panel.groups, id)
      if (!task || task.status === status) return
      changes.change(id, { status })
      app.announce(`${task.title}: ${statusNames[status]}`)
    },
    askDue(id) {
      const task = findTask(panel.groups, id)
      if (!task) return
      panel.activity.busy = true
      panel.activity.asking = true
      const onClose = () => {
        panel.activity.asking = false
        changes.settle()
      }
      const label = `Due date of ${quoteShown(task.title)}`
      const choose = (due_on: string | null) => changes.change(id, { due_on })
      const options = { label, value: task.due_on, now: app.now(), choose, onClose }
      import('../ui/components/calendar.ts').then(
        ({ openCalendar }) => openCalendar(dueButtonOf(list, id), options),
        onClose,
      )
    },
    raise(id) {
      const at = priorities.indexOf(findTask(panel.groups, id)?.priority ?? 'normal')
      changes.change(id, { priority: priorities[(at + 1) % priorities.length]! })
    },
    remove: (id) => changes.remove(id),
  }

  list.addEventListener('click', (event) => act(event, actions, context, panel), { signal })
  addTaskKeys(list, actions, context)
  if (panel.filters.view !== 'board')
    selection = mountSelection({
      list,
      row: '.task',
      titleOf: (row) => row.querySelector('.task-title')?.textContent ?? '',
      actions: manyTasks(panel, context),
      context,
    })
  mountDrag(list, actions.setStatus, signal)
  list.addEventListener('submit', (event) => submit(event, panel, { app, add: changes.add }), { signal })
  mountQuickAdd(root, { app, draftName: `task:${panel.projectId ?? space!.id}`, add: changes.add, signal })
}

/** Of a field of the board, whose code comes with the first task that is written there. */
async function submit(
  event: Event,
  { groups }: TaskPanel,
  own: { app: App; add: TaskChanges['add'] },
): Promise<void> {
  event.preventDefault()
  const form = event.target
  const { addToColumn } = await import('./board-actions.ts')
  const group = form instanceof HTMLFormElement && groups.find(({ status }) => status === form.dataset.status)
  if (group) await addToColumn(form, group.status, own)
}

function act(event: Event, actions: TaskActions, context: ViewContext, panel: TaskPanel): void {
  const { filters } = panel
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button[data-do]') : null
  const what = button?.dataset.do
  if (what === 'more') changeQuery(context, { closed: filters.closed + 5 * closedStep })
  if (what === 'more-active') changeQuery(context, { active: filters.active + activeStep })
  if (what === 'clear') changeQuery(context, { status: null, project: null, due: null, priority: null })
  const id = button && taskIdOf(button)
  if (!id) return
  if (what === 'toggle') actions.toggle(id)
  if (what === 'due') actions.askDue(id)
  if (what === 'delete') actions.remove(id)
  const task = what === 'menu' && findTask(panel.groups, id)
  if (task) void import('./board-actions.ts').then(({ openCardMenu }) => openCardMenu(button, task, actions))
}

/** Draws the tasks again. When the focused one is no longer visible, its neighbour gets the focus. */
function redraw(list: HTMLElement, panel: TaskPanel, context: { slug: string; now: Date }): void {
  const focused = document.activeElement
  const id = focused && list.contains(focused) ? taskIdOf(focused) : null
  const before = visibleTitles(list)
  const at = before.findIndex((title) => taskIdOf(title) === id)
  rerender(list, flatten([renderTasks(panel, context)]))
  if (id === null || list.contains(document.activeElement)) return
  const after = visibleTitles(list)
  const same = after.find((title) => taskIdOf(title) === id)
  const next = same ?? after[Math.min(at, after.length - 1)]
  next?.focus()
}

/** Cards of a board are dragged from column to column. */
function mountDrag(
  list: HTMLElement,
  onDrop: (id: string, status: TaskStatus) => void,
  signal: AbortSignal,
): void {
  let dragged: string | null = null

  list.addEventListener(
    'dragstart',
    (event) => {
      const card =
        event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('.board-card') : null
      if (!card || !event.dataTransfer) return
      dragged = card.dataset.task ?? null
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', card.querySelector('.board-title')?.textContent ?? '')
      card.classList.add('is-dragged')
    },
    { signal },
  )

  list.addEventListener(
    'dragover',
    (event) => {
      const column = columnAt(event)
      if (!dragged || !column) return
      event.preventDefault()
      mark(column)
    },
    { signal },
  )

  list.addEventListener(
    'drop',
    (event) => {
      const status = columnAt(event)?.dataset.status as TaskStatus | undefined
      if (!dragged || !status) return
      event.preventDefault()
      onDrop(dragged, status)
    },
    { signal },
  )

  list.addEventListener(
    'dragend',
    () => {
      dragged = null
      mark(null)
      list.querySelector('.is-dragged')?.classList.remove('is-dragged')
    },
    { signal },
  )

  function mark(column: Element | null): void {
    for (const each of list.querySelectorAll('.board-column'))
      each.classList.toggle('is-over', each === column)
  }
}

const columnAt = (event: DragEvent): HTMLElement | null =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('.board-column') : null
