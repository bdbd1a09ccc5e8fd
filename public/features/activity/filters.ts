import type { App } from '../../app/app.ts'
import { type FilterOption, filterChip } from '../../ui/components/chips/filter-chip.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { type KindType, kindNames } from '../../ui/words/addresses.ts'
import { type ActivityQuery, activityHref, isFiltered, oneNames } from './activity-query.ts'

type Named = { slug: string; name: string }

export type FilterChoices = {
  query: ActivityQuery
  spaces: readonly Named[]
  agents: readonly Named[]
  /** What the one entity, conversation or turn is called that it is narrowed to. */
  named: Readonly<Record<(typeof oneNames)[number], string>>
  app: App
}

/** The filters of the activity. */
export function renderFilters(choices: FilterChoices): HTMLElement {
  const { query, app } = choices
  return el(
    'div',
    { class: 'filter-bar', role: 'search', 'aria-label': 'Filter activity' },
    fields(choices).map(([name, label, options]) =>
      filterChip({
        id: `activity-${name}`,
        label,
        options,
        value: query[name],
        choose: (value) => app.navigate(activityHref({ ...query, cursor: null, [name]: value })),
      }),
    ),
    isFiltered(query) && el('a', { class: 'button button-quiet button-small', href: '/activity' }, 'Clear'),
    renderOnes(choices),
  )
}

/** What it is narrowed to besides the chips, each with a link that lifts it. */
function renderOnes({ query, named }: FilterChoices): Child {
  const ones = oneNames.filter((name) => query[name] !== null)
  if (ones.length === 0) return null
  return el(
    'p',
    { class: 'activity-ones' },
    ones.map((name) =>
      el(
        'a',
        {
          class: 'button button-small',
          href: activityHref({ ...query, cursor: null, [name]: null }),
          title: 'Remove this filter',
          'aria-label': `Remove the filter ${oneLabels[name]}: ${named[name]}`,
        },
        `${oneLabels[name]}: ${named[name]}`,
        icon('close'),
      ),
    ),
  )
}

const oneLabels = { thing: 'Item', conversation: 'Conversation', turn: 'Message' } as const

const fields = ({ spaces, agents }: FilterChoices) =>
  [
    ['space', 'Space', spaces.map(({ slug, name }): FilterOption => [slug, name])],
    [
      'actor',
      'Actor',
      [
        ['owner', 'You'],
        ['agents', 'All agents'],
        ...agents.map(({ slug, name }): FilterOption => [`agent:${slug}`, name]),
        ['system:import', 'Import'],
      ],
    ],
    ['what', 'Event', events],
    [
      'kind',
      'Kind',
      (Object.keys(kindNames) as KindType[]).map((kind): FilterOption => [kind, kindNames[kind].one]),
    ],
    ['tool', 'Tool', toolNames.map((name): FilterOption => [name, name])],
    [
      'result',
      'Result',
      [
        ['error', 'Failed'],
        ['cancelled', 'Cancelled'],
        ['unfinished', 'Failed or cancelled'],
      ],
    ],
  ] as const satisfies readonly (readonly [string, string, readonly FilterOption[]])[]

/** The tools that companions and agents are offered. */
export const toolNames: readonly string[] = [
  ...['search', 'read', 'list', 'context', 'open', 'highlight'],
  ...['propose_change', 'changes', 'revise_change', 'withdraw_change'],
  ...['find_tool', 'call_tool', 'search_email', 'read_email_thread'],
]

const events: readonly FilterOption[] = [
  ['change', 'All changes'],
  ['create', 'Created'],
  ['update', 'Edited'],
  ['delete', 'Deleted'],
  ['restore', 'Restored'],
  ['call', 'Tool calls'],
  ['message', 'Messages'],
  ['draft', 'Drafts'],
  ['decision', 'Decisions'],
  ['glance', 'Nudges'],
]
