import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { TrustedOrigin, TrustLevel } from '../../../lib/contract/trust.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { visible } from '../../ui/components/visible.ts'
import { type Child, el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { fieldRow } from '../parts/setting.ts'

type Data = { space: Space; origins: TrustedOrigin[] }

export const trustWords =
  'A draft gets a warning when it contains other people’s words. Mark which imports, mail accounts and sources are ' +
  'yours; files such as PDF, mail and saved web pages always count as written by others.'

/** For which imports, mail accounts and sources of a Space the owner vouches. */
export const spaceTrustSection = defineSection<Data>({
  async load({ api, space }) {
    const { items } = await api.get<List<TrustedOrigin>>(`/api/spaces/${space!.id}/trust`)
    return { space: space!, origins: items }
  },
  render: ({ space, origins }, context) => [
    el('h2', {}, 'Trust'),
    el('p', { class: 'dim' }, trustWords),
    origins.length === 0
      ? el('p', { class: 'dim' }, 'No imports, mail accounts or sources yet.')
      : el(
          'div',
          {},
          origins.map((origin, index) => renderOrigin(origin, `trust-${space.id}-${index}`, space, context)),
        ),
  ],
})

const kinds: Record<TrustedOrigin['kind'], string> = {
  import: 'Import',
  mail: 'Mail account',
  source: 'Source',
}

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
  return fieldRow(el('bdi', {}, visible(name)), select, kinds[kind])

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
