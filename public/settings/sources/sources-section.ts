import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { Source, SourceTool } from '../../../lib/contract/sources.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import type { ViewContext } from '../../app/view.ts'
import { type Child, el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { fieldRow } from '../parts/setting.ts'
import { type ListedSource, renderSource } from './source.ts'
import { renderSourceForm } from './source-form.ts'

type Data = { space: Space; sources: ListedSource[] }[]

/** The sources of every Space, with their tools. */
export const sourcesSection = defineSection<Data>({
  async load({ api }) {
    const { items } = await api.get<List<Space>>('/api/spaces?limit=200')
    return await Promise.all(
      items.map(async (space) => {
        const { items: sources } = await api.get<List<Source>>(`/api/spaces/${space.id}/sources`)
        const listed = sources.map(async (source) => {
          const { items: tools } = await api.get<List<SourceTool>>(`/api/sources/${source.id}/tools`)
          return { source, tools }
        })
        return { space, sources: await Promise.all(listed) }
      }),
    )
  },
  render: (data, context) => [
    el(
      'p',
      { class: 'dim' },
      'MCP servers whose tools the companion may use in a Space. A program runs in a sandbox, unless you allow it to run without one. Add only those that you trust.',
    ),
    data.filter(({ sources }) => sources.length > 0).map((each) => renderSpace(each, context)),
    data.every(({ sources }) => sources.length === 0) &&
      el('p', { class: 'dim' }, 'No sources yet. Add one below.'),
    renderNewSource(
      data.map(({ space }) => space),
      context,
    ),
  ],
})

function renderSpace({ space, sources }: Data[number], context: ViewContext): Child {
  return el(
    'section',
    { class: 'things', 'aria-label': `Sources of ${space.name}` },
    el('h2', {}, el('bdi', {}, space.name)),
    sources.map((each) => renderSource(each, context)),
  )
}

/** The form for a new source. It is tested as soon as it is there. */
function renderNewSource(spaces: readonly Space[], { app, refresh }: ViewContext): HTMLElement {
  const space = el(
    'select',
    { class: 'field', id: 'source-space' },
    spaces.map(({ id, name }) => el('option', { value: id }, name)),
  )
  const form = renderSourceForm({
    source: null,
    label: 'Add source',
    icon: 'plus',
    lead: [el('h2', {}, 'New source'), fieldRow('Space', space)],
    onSave: add,
  })
  return form

  async function add(fields: Record<string, unknown>): Promise<void> {
    const { id, name } = await app.api.post<Source>(`/api/spaces/${space.value}/sources`, fields)
    const chosen = space.value
    form.reset()
    space.value = chosen
    await app.api.post(`/api/sources/${id}/test`)
    app.toast(`Added source ${quoteShown(name)}.`)
    await refresh()
  }
}
