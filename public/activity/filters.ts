import type { App } from '../app/app.ts'
import { type FilterOption, filterField } from '../components/filter-field.ts'
import { el } from '../dom.ts'
import { type KindType, kindNames } from '../entities/addresses.ts'
import { type ActivityQuery, activityHref, filterNames } from './activity-query.ts'

type Named = { slug: string; name: string }

export type FilterChoices = {
  query: ActivityQuery
  spaces: readonly Named[]
  agents: readonly Named[]
  app: App
}

/** The filters of the activity. */
export function renderFilters(choices: FilterChoices): HTMLElement {
  const { query, app } = choices
  const filtered = filterNames.some((name) => query[name] !== null)
  return el(
    'div',
    { class: 'activity-filters', role: 'search', 'aria-label': 'Filter activity' },
    fields(choices).map(([name, label, options]) =>
      filterField(app, {
        id: `activity-${name}`,
        label,
        options,
        value: query[name],
        href: (value) => activityHref({ ...query, cursor: null, [name]: value }),
      }),
    ),
    filtered && el('a', { class: 'button button-quiet', href: '/activity' }, 'Clear'),
  )
}

const fields = ({ spaces, agents }: FilterChoices) =>
  [
    ['space', 'Space', spaces.map(({ slug, name }): FilterOption => [slug, name])],
    [
      'actor',
      'Actor',
      [
        ['owner', 'You'],
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
  ] as const satisfies readonly (readonly [string, string, readonly FilterOption[]])[]

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
