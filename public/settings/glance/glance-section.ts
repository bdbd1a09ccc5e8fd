import type { Glance, GlanceSettings } from '../../../lib/contract/companion/glance.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import { el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { renderSpace } from './glance-space.ts'

type Data = { space: Space; settings: GlanceSettings; nudges: Glance[] }[]

/** The glance of every Space: its mode, what it would have said, and what it cost. */
export const glanceSection = defineSection<Data>({
  async load({ api }) {
    const { items } = await api.get<List<Space>>('/api/spaces?limit=200')
    return await Promise.all(
      items.map(async (space) => {
        const path = `/api/spaces/${space.id}`
        const settings = await api.get<GlanceSettings>(`${path}/glance-settings`)
        const { items: nudges } = await api.get<List<Glance>>(`${path}/glances?nudges=true&limit=30`)
        return { space, settings, nudges }
      }),
    )
  },
  render: (data, context) => [
    el(
      'p',
      { class: 'dim' },
      'When you look at a mail that needs you, or one arrives, Void can say one sentence. In shadow mode it only records what it would have said.',
    ),
    data[0]?.settings.unavailable && el('p', { class: 'problem' }, data[0].settings.unavailable),
    data.map((one) => renderSpace(one, context)),
  ],
  affectedBy: (event) => event.type === 'nudge',
})
