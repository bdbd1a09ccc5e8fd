import type { CardLine } from '../../../lib/contract/changes/card.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { type FilterOption, filterBar, filterChip } from '../../ui/components/filter-chip.ts'
import { icon, kindIcon } from '../../ui/components/icon.ts'
import { agentName, visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { type KindType, kindNames } from '../../ui/words/addresses.ts'
import { cardState, deciderName, isDestructive } from '../card/draft/card-state.ts'
import { listStateOf } from './batch.ts'
import { renderBatchBar } from './batch-bar.ts'
import {
  type Group,
  type InboxContext,
  type InboxQuery,
  inboxHref,
  isFiltered,
  moreHref,
} from './inbox-data.ts'

export const itemId = (id: string): string => `item-${id}`

/** The left side: pending drafts by changeset, or decided ones. */
export function renderList(context: InboxContext, approveAll: (group: Group) => void): HTMLElement {
  const { data } = context
  return el(
    'section',
    { class: 'inbox-list', id: 'inbox-list', 'aria-label': 'Drafts' },
    el(
      'header',
      { class: 'inbox-head' },
      el('p', { class: 'inbox-title', 'aria-hidden': 'true' }, 'Inbox'),
      renderFilters(context),
    ),
    data.groups.length === 0 && renderEmpty(context),
    el(
      'div',
      { class: 'inbox-groups' },
      data.groups.map((group) => renderGroup(group, context, approveAll)),
    ),
    data.more &&
      el('a', { class: 'button inbox-more', id: 'inbox-more', href: moreHref(data.query) }, 'Show more'),
    renderBatchBar(context),
  )
}

function renderGroup(group: Group, context: InboxContext, approveAll: (group: Group) => void): HTMLElement {
  const first = group.lines[0]!
  const waiting = context.data.query.tab === 'waiting'
  const { plain } = group
  return el(
    'div',
    {
      class: 'inbox-group',
      role: 'group',
      'aria-label': waiting ? `From ${quoteShown(first.agent.name)}` : 'Decided',
    },
    waiting &&
      el(
        'header',
        { class: 'inbox-group-head' },
        el('p', {}, groupLabel(group, context)),
        plain.length > 1 &&
          el(
            'button',
            {
              class: 'button button-small',
              type: 'button',
              id: `approve-all-${group.changesetId}`,
              onclick: () => approveAll(group),
            },
            icon('check'),
            plain.length === group.lines.length
              ? `Approve all ${plain.length}`
              : `Approve ${plain.length} of ${group.lines.length}`,
          ),
      ),
    el(
      'ul',
      { class: 'inbox-lines' },
      group.lines.map((line) => renderLine(line, context)),
    ),
  )
}

function groupLabel({ lines }: Group, { now }: InboxContext): Child {
  const first = lines[0]!
  return [
    el('strong', {}, agentName(first.agent)),
    el('bdi', {}, visible(first.space.name)),
    lines.length > 1 && el('span', {}, `${lines.length} drafts`),
    timeAgo(first.created_at, now),
  ]
}

function renderLine(line: CardLine, context: InboxContext): HTMLElement {
  const { data, app, now } = context
  const { pending_change_id: id } = line
  const state = listStateOf(app)
  const current = data.card?.pending_change_id === id
  const href = inboxHref(data.query, id)
  return el(
    'li',
    { class: 'inbox-line', 'data-current': current },
    data.query.tab === 'waiting' &&
      el('label', { class: 'inbox-select' }, [
        el('input', {
          type: 'checkbox',
          id: `select-${id}`,
          'aria-label': `Select: ${quoteShown(line.summary, 300)}`,
          checked: state.get().selected.has(id),
          onchange: () => toggleSelected(context, id),
        }),
      ]),
    el(
      'a',
      { class: 'inbox-item', id: itemId(id), href, 'aria-current': current ? 'true' : null, 'data-id': id },
      kindIcon(line.entity_type),
      el('span', { class: 'inbox-summary' }, visible(line.summary)),
      el('span', { class: 'inbox-marks' }, marks(line, now)),
    ),
  )
}

function marks(line: CardLine, now: Date): Child {
  const { tone, icon: name, word } = cardState(line)
  const badge = el('span', { class: ['badge', `badge-${tone}`] }, icon(name), word)
  if (line.decided) {
    return [
      badge,
      el(
        'span',
        { class: 'dim small' },
        line.decided.by && `by ${deciderName(line.decided.by)} `,
        timeAgo(line.decided.at, now),
      ),
    ]
  }
  return [
    line.stale && badge,
    isDestructive(line) && el('span', { class: 'badge badge-red' }, icon('trash'), 'Deletes'),
  ]
}

/** Selects a draft, or removes it from the selection. */
export function toggleSelected({ app, data }: InboxContext, id: string): void {
  const state = listStateOf(app)
  const visibleIds = new Set(data.ids)
  const selected = new Set([...state.get().selected].filter((each) => visibleIds.has(each)))
  if (!selected.delete(id)) selected.add(id)
  state.set({ selected })
  const box = document.getElementById(`select-${id}`)
  if (box instanceof HTMLInputElement) box.checked = selected.has(id)
}

function renderEmpty({ data: { query } }: InboxContext): HTMLElement {
  if (isFiltered(query)) {
    return el(
      'div',
      { class: 'inbox-empty' },
      el('p', {}, 'No drafts match these filters.'),
      el(
        'a',
        {
          href: inboxHref({
            tab: query.tab,
            space: null,
            agent: null,
            kind: null,
            state: null,
            maxLines: null,
          }),
        },
        'Clear filters',
      ),
    )
  }
  if (query.tab === 'decided') {
    return el('div', { class: 'inbox-empty' }, el('p', {}, 'No decisions yet.'))
  }
  return el(
    'div',
    { class: 'inbox-empty' },
    icon('inbox'),
    el('h2', {}, 'No pending drafts'),
    el(
      'p',
      {},
      'Changes that the companion and other agents propose are listed here. Nothing changes until you approve it.',
    ),
  )
}

/** The tabs for pending and decided drafts, and the filters. */
function renderFilters({ data, app }: InboxContext): HTMLElement[] {
  const { query } = data
  return [
    el(
      'nav',
      { class: 'inbox-tabs', 'aria-label': 'Drafts' },
      tab(query, 'waiting', 'Pending'),
      tab(query, 'decided', 'History'),
    ),
    filterBar(
      fields(data).map(([name, label, options]) =>
        filterChip({
          id: `inbox-${name}`,
          label,
          options,
          value: query[name],
          choose: (value) => app.navigate(inboxHref({ ...query, [name]: value })),
        }),
      ),
    ),
  ]
}

function tab(query: InboxQuery, name: InboxQuery['tab'], label: string): HTMLElement {
  const href = inboxHref({ ...query, tab: name, state: null })
  return el('a', { class: 'inbox-tab', href, 'aria-current': query.tab === name ? 'page' : null }, label)
}

const fields = ({ query, agents, spaces }: InboxContext['data']) =>
  [
    ['space', 'Space', spaces.map(({ slug, name }): FilterOption => [slug, name])],
    ['agent', 'Agent', agents.map(({ slug, name }): FilterOption => [slug, name])],
    [
      'kind',
      'Kind',
      (Object.keys(kindNames) as KindType[])
        .filter((kind) => kind !== 'page_view')
        .map((kind): FilterOption => [kind, kindNames[kind].one]),
    ],
    ['state', 'State', query.tab === 'waiting' ? waitingStates : decidedStates],
  ] as const

const waitingStates: readonly FilterOption[] = [
  ['ready', 'Ready to approve'],
  ['stale', 'Changed since'],
]

const decidedStates: readonly FilterOption[] = [
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['obsolete', 'Obsolete'],
  ['superseded', 'Replaced'],
  ['retracted', 'Withdrawn'],
]
