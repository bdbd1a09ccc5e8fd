import type { Project, Task } from '../../lib/contract/entities.ts'
import type { List } from '../../lib/contract/list.ts'
import { detailView } from '../features/details/detail-view.ts'
import { priorities, priorityNames, statuses, statusNames } from '../ui/words/names.ts'

type Extra = { projects: Pick<Project, 'id' | 'title'>[]; describe: (rule: string) => string }

export const view = detailView<Task, Extra>({
  type: 'task',
  async load({ api, space }) {
    const [projects, { recurrenceWords }] = await Promise.all([
      api.get<List<Project>>(`/api/spaces/${space!.id}/projects?sort=title&limit=200`),
      import('./recurrence-words.ts'),
    ])
    return { projects: projects.items, describe: recurrenceWords }
  },
  fields: ({ extra: { projects, describe }, row }) => [
    {
      name: 'status',
      label: 'Status',
      control: 'choice',
      options: statuses.map((value) => ({ value, label: statusNames[value] })),
    },
    {
      name: 'priority',
      label: 'Priority',
      control: 'choice',
      options: priorities.map((value) => ({ value, label: priorityNames[value] })),
    },
    { name: 'due_on', label: 'Due', control: 'day' },
    { name: 'remind_at', label: 'Reminder', control: 'moment' },
    {
      name: 'recurrence',
      label: 'Repeats',
      control: 'choice',
      options: recurrenceOptions(row.recurrence, describe),
    },
    {
      name: 'project_id',
      label: 'Project',
      control: 'choice',
      options: [
        { value: '', label: 'None' },
        ...projects.map(({ id, title }) => ({ value: id, label: title })),
      ],
    },
  ],
  mount(root, _data, { app, signal }) {
    const field = (name: string) => root.querySelector<HTMLSelectElement>(`#field-${name}`)
    const setStatus = (value: string) => {
      const choice = field('status')
      if (!choice || choice.value === value) return
      choice.value = value
      choice.dispatchEvent(new Event('change', { bubbles: true }))
    }
    app.keys.add(
      [
        {
          key: 'x',
          label: 'Mark done or reopen',
          run: () => setStatus(field('status')?.value === 'done' ? 'open' : 'done'),
          group: 'Task',
        },
        ...statuses.map((status, index) => ({
          key: String(index + 1),
          label: statusNames[status],
          run: () => setStatus(status),
          group: 'Task',
        })),
        { key: 'd', label: 'Set due date', run: () => field('due_on')?.focus(), group: 'Task' },
      ],
      signal,
    )
  },
  affectedBy: (event, _data, { space }) =>
    event.type === 'entity' && event.data.kind === 'project' && event.data.space_id === space!.id,
})

const usual = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  'FREQ=WEEKLY',
  'FREQ=WEEKLY;INTERVAL=2',
  'FREQ=MONTHLY',
  'FREQ=MONTHLY;INTERVAL=3',
  'FREQ=YEARLY',
]

/** The choices of how a task repeats, and what it has if that is another one. */
function recurrenceOptions(current: string | null, describe: Extra['describe']) {
  const rules = current === null || usual.includes(current) ? usual : [...usual, current]
  return [{ value: '', label: 'Never' }, ...rules.map((value) => ({ value, label: describe(value) }))]
}
