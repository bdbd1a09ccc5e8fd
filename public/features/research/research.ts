import type { ResearchItem, ResearchList } from '../../../lib/contract/research.ts'
import { defineView, type View, type ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { spaceHref, withQuery } from '../../ui/words/addresses.ts'
import { stateBadge } from './research-words.ts'
import { run } from './run.ts'
import { labelChip } from './run-actions.ts'

/** The runs of a Space, or the one of the address. */
export const view: View = { open: (context) => (context.params.id ? run : list).open(context) }

const list = defineView<ResearchList>({
  load: ({ api, space, url }) =>
    api.get(
      withQuery(`/api/spaces/${space!.id}/research`, {
        q: url.searchParams.get('q')?.slice(0, 200),
        label: url.searchParams.get('label')?.slice(0, 50),
        archived: url.searchParams.get('archived') === 'true' ? 'true' : null,
        cursor: url.searchParams.get('before'),
      }),
    ),
  title: (_list, { space }) => `Research · ${space!.name}`,
  layout: 'wide',
  render: (list, context) => [
    el('header', { class: 'view-head' }, el('h1', {}, 'Research')),
    renderSearch(context),
    renderFilter(context),
    list.items.length === 0
      ? el('p', { class: 'dim' }, emptyText(context))
      : el(
          'ul',
          { class: 'rows research-rows' },
          list.items.map((run) => row(run, context)),
        ),
    list.next_cursor &&
      el('a', { class: 'button', href: hrefWith(context, { before: list.next_cursor }) }, 'Older'),
  ],
  affectedBy: (event, _list, { space }) => event.type === 'turn' && event.data.space_id === space!.id,
})

const emptyText = ({ url }: ViewContext): string =>
  url.searchParams.size > 0
    ? 'No research matches.'
    : 'No research yet. Choose Research under the message to the companion, or begin it with /research.'

function hrefWith({ url }: Pick<ViewContext, 'url'>, change: Record<string, string | null>): string {
  const query = Object.fromEntries(url.searchParams)
  return withQuery(url.pathname, { q: query.q, label: query.label, archived: query.archived, ...change })
}

function renderSearch(context: ViewContext): HTMLElement {
  const { url, app } = context
  const archived = url.searchParams.get('archived') === 'true'
  const field = el('input', {
    class: 'field',
    id: 'research-q',
    type: 'search',
    value: url.searchParams.get('q') ?? '',
    placeholder: 'Search research…',
    'aria-label': 'Search research',
    maxlength: 200,
  })
  return el(
    'form',
    {
      class: 'research-head',
      role: 'search',
      onsubmit(event: Event) {
        event.preventDefault()
        void app.navigate(hrefWith(context, { q: field.value.trim() }))
      },
    },
    field,
    el(
      'a',
      { class: 'button button-small', href: hrefWith(context, { archived: archived ? null : 'true' }) },
      archived ? 'Show current' : 'Show archived',
    ),
  )
}

/** Labels in a row of the list; the run's own view has all. */
const maxChips = 3

/** The label by which the list is filtered. */
function renderFilter(context: ViewContext): Child {
  const label = context.url.searchParams.get('label')
  return (
    label &&
    el(
      'p',
      { class: 'research-head' },
      el('span', { class: 'dim small' }, 'Labeled'),
      el('span', { class: 'badge' }, label),
      el('a', { class: 'button button-small', href: hrefWith(context, { label: null }) }, 'Show all'),
    )
  )
}

const row = (run: ResearchItem, context: ViewContext): HTMLElement =>
  el(
    'li',
    { class: ['row-item', 'research-row'] },
    icon('book'),
    el('a', { class: 'row-title', href: `${spaceHref(context.space!.slug)}/research/${run.id}` }, run.title),
    run.labels.slice(0, maxChips).map((label) => labelChip(label, context)),
    run.labels.length > maxChips && el('span', { class: 'dim small' }, `+${run.labels.length - maxChips}`),
    stateBadge(run),
    el('span', { class: 'dim small' }, run.depth),
    timeAgo(run.updated_at, context.now),
  )
