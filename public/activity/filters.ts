import type { App } from '../app/app.ts'
import { el } from '../dom.ts'
import { type KindType, kindNames } from '../entities/addresses.ts'
import { type ActivityQuery, activityHref, filterNames } from './activity-query.ts'

type Named = { slug: string; name: string }
type Option = readonly [value: string, label: string]

export type FilterChoices = {
  query: ActivityQuery
  spaces: readonly Named[]
  agents: readonly Named[]
  app: App
}

/** The filters of the activity. */
export function renderFilters(choices: FilterChoices): HTMLElement {
  const { query } = choices
  const filtered = filterNames.some((name) => query[name] !== null)
  return el(
    'div',
    { class: 'activity-filters', role: 'search', 'aria-label': 'Filter activity' },
    fields(choices).map(([name, label, options]) => field(name, label, options, choices)),
    filtered && el('a', { class: 'button button-quiet', href: '/activity' }, 'Clear'),
  )
}

function field(
  name: (typeof filterNames)[number],
  label: string,
  options: readonly Option[],
  { query, app }: FilterChoices,
): HTMLElement {
  const id = `activity-${name}`
  return el(
    'label',
    { class: 'activity-filter' },
    el('span', {}, label),
    el(
      'select',
      {
        class: 'field',
        id,
        onchange: async (event: Event) => {
          const { value } = event.currentTarget as HTMLSelectElement
          await app.navigate(activityHref({ ...query, cursor: null, [name]: value || null }))
          document.getElementById(id)?.focus()
        },
      },
      [['', 'Any'] as const, ...options].map(([value, text]) =>
        el('option', { value, selected: (query[name] ?? '') === value }, text),
      ),
    ),
  )
}

const fields = ({ spaces, agents }: FilterChoices) =>
  [
    ['space', 'Space', spaces.map(({ slug, name }): Option => [slug, name])],
    [
      'actor',
      'Actor',
      [
        ['owner', 'You'],
        ...agents.map(({ slug, name }): Option => [`agent:${slug}`, name]),
        ['system:import', 'Import'],
      ],
    ],
    ['what', 'Event', events],
    [
      'kind',
      'Kind',
      (Object.keys(kindNames) as KindType[]).map((kind): Option => [kind, kindNames[kind].one]),
    ],
  ] as const satisfies readonly (readonly [string, string, readonly Option[]])[]

const events: readonly Option[] = [
  ['change', 'All changes'],
  ['create', 'Created'],
  ['update', 'Edited'],
  ['delete', 'Deleted'],
  ['restore', 'Restored'],
  ['call', 'Tool calls'],
  ['message', 'Messages'],
  ['draft', 'Drafts'],
  ['decision', 'Decisions'],
]
