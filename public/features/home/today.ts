import type { CardLine } from '../../../lib/contract/changes/card.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { Today } from '../../../lib/contract/space/home.ts'
import { defineView, type ViewContext } from '../../app/view.ts'
import { dailyHref } from '../../page/notes/daily-note.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { dayText } from '../../ui/time.ts'
import { renderDraftLines, renderSection, renderTaskLines } from './sections.ts'

type Data = { today: Today; waiting: number; drafts: CardLine[] }

const maxDrafts = 5

/** What the day asks for, over all Spaces: drafts, what is overdue and due, the note of the day. */
export const view = defineView<Data>({
  layout: 'wide',
  async load({ api }) {
    const [today, { count }, { items }] = await Promise.all([
      api.get<Today>('/api/today'),
      api.get<{ count: number }>('/api/inbox'),
      api.get<List<CardLine>>(`/api/inbox/lines?limit=${maxDrafts}`),
    ])
    return { today, waiting: count, drafts: items }
  },
  title: () => 'Today',
  render(data, context) {
    const { today, waiting, drafts } = data
    const overdue = today.tasks.filter(({ due_on }) => due_on !== null && due_on < today.day)
    const due = today.tasks.filter(({ due_on }) => due_on === today.day)
    const more = today.count - today.tasks.length
    return el(
      'div',
      { class: 'home' },
      el(
        'header',
        { class: 'view-head' },
        el('h1', {}, 'Today'),
        el('p', { class: 'dim' }, dayText(today.day, context.now)),
      ),
      renderDraftLines(waiting, drafts, context.now),
      el(
        'div',
        { class: 'home-columns' },
        el(
          'div',
          { class: 'home-column' },
          overdue.length > 0 && renderTasks('Overdue', overdue, context),
          renderTasks('Due today', due, context),
          more > 0 && el('p', { class: 'dim' }, `${more} more`),
        ),
        context.space && el('div', { class: 'home-column' }, renderNote(context)),
      ),
    )
  },
  affectedBy: ({ type }) => type === 'entity' || type === 'change' || type === 'space',
})

const renderTasks = (title: string, tasks: Today['tasks'], context: ViewContext): HTMLElement =>
  renderSection(
    { id: `today-${title === 'Overdue' ? 'overdue' : 'due'}`, title },
    tasks.length === 0
      ? el('p', { class: 'dim' }, 'No tasks due today')
      : el(
          'ul',
          { class: 'rows' },
          renderTaskLines(
            tasks.map((task) => ({ task, slug: task.space.slug, place: task.space.name })),
            context,
          ),
        ),
  )

const renderNote = ({ space }: ViewContext): HTMLElement =>
  renderSection(
    { id: 'today-note', title: 'Daily note' },
    el(
      'ul',
      { class: 'rows' },
      el(
        'li',
        { class: 'row-item' },
        icon('page'),
        el('a', { class: 'row-title', href: dailyHref(space!.slug) }, 'Today’s note'),
        el('span', { class: 'dim small' }, space!.name),
      ),
    ),
  )
