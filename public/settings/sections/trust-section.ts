import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { TrustedOrigin, TrustLevel } from '../../../lib/contract/trust.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'

type Data = { space: Space; origins: TrustedOrigin[] }[]

/** For which imports, mail accounts and sources the owner vouches, Space by Space. */
export const trustSection = defineSection<Data>({
  async load({ api }) {
    const { items: spaces } = await api.get<List<Space>>('/api/spaces?limit=200')
    const lists = await Promise.all(
      spaces.map(({ id }) => api.get<List<TrustedOrigin>>(`/api/spaces/${id}/trust`)),
    )
    return spaces.map((space, index) => ({ space, origins: lists[index]!.items }))
  },
  render: (data, context) => [
    el('h2', {}, 'Trust'),
    el(
      'p',
      { class: 'dim' },
      'A draft gets a warning when it contains other people’s words, or when a text that was read gave orders. Text that ' +
        'you write here is yours. Mark which imports, mail accounts and sources are yours too. PDF and Word files, mail ' +
        'and saved web pages of an import always count as written by others.',
    ),
    data.every(({ origins }) => origins.length === 0) &&
      el('p', { class: 'dim' }, 'No imports, mail accounts or sources yet.'),
    data.map((each) => each.origins.length > 0 && renderSpace(each, context)),
  ],
})

const kinds: Record<TrustedOrigin['kind'], string> = {
  import: 'Import',
  mail: 'Mail account',
  source: 'Source',
}

const renderSpace = ({ space, origins }: Data[number], context: ViewContext): HTMLElement =>
  el(
    'section',
    { class: 'stack', 'aria-label': space.name },
    el('h3', {}, visible(space.name)),
    el(
      'ul',
      { class: 'rows' },
      origins.map((origin, index) => renderOrigin(origin, `trust-${space.id}-${index}`, space, context)),
    ),
  )

function renderOrigin(
  { kind, key, name, trust }: TrustedOrigin,
  id: string,
  space: Space,
  { app }: ViewContext,
): Child {
  const select = el(
    'select',
    { class: 'field', id, onchange: change },
    el('option', { value: 'own', selected: trust === 'own' }, 'Mine'),
    el('option', { value: 'outside', selected: trust === 'outside' }, 'Others’'),
  )
  let saved = trust
  return el(
    'li',
    { class: 'row-item trust-row' },
    el(
      'label',
      { class: 'grow', for: id },
      el('span', { class: 'row-title' }, visible(name)),
      ' ',
      el('span', { class: 'dim small' }, kinds[kind]),
    ),
    select,
  )

  async function change(): Promise<void> {
    const level: TrustLevel = select.value === 'own' ? 'own' : 'outside'
    try {
      await app.api.put(`/api/spaces/${space.id}/trust`, { kind, key, trust: level })
      saved = level
      app.announce(level === 'own' ? 'Marked as yours.' : 'Marked as written by others.')
    } catch (error) {
      select.value = saved
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}
