import type { EntityRow } from '../../../lib/contract/entities/kind.ts'
import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { MemorySettings } from '../../../lib/contract/memory.ts'
import { purgeMemory } from '../../app/actions/purge-memory.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { renderArmedButton } from '../../ui/components/armed-button.ts'
import { el } from '../../ui/dom.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { defineSection } from '../parts/section.ts'
import { hintedRow, switchBox, switchRow, valueRow } from '../parts/setting.ts'
import { spaceLinks } from '../parts/space-links.ts'

const memoryWords =
  'Memory is a page of short lines that every answer is given. Say “Remember that …” or “Forget that …”, or edit the page.'

/** The memory of all Spaces, and the Spaces, each of which has a page of its own. */
export const memorySection = defineSection<List<Space>>({
  load: ({ api }) => api.get('/api/spaces?limit=200'),
  render: ({ items }, { app }) => [
    el('p', { class: 'dim' }, memoryWords, ' “Remember in all Spaces that …” adds a line for all of them.'),
    valueRow('All Spaces', openButton(app, '/api/memory', 'memory-everywhere')),
    purgeRow(app, null),
    spaceLinks(items),
  ],
  affectedBy: (event) => event.type === 'space',
})

/** The memory of a Space, and whether the companion proposes lines for it by itself. */
export const spaceMemorySection = defineSection<MemorySettings>({
  load: ({ api, space }) => api.get(`/api/spaces/${space!.id}/memory-settings`),
  render: ({ space_id, asks }, { app }) => {
    const box = switchBox({ id: `memory-asks-${space_id}`, checked: asks })
    box.onchange = async () => {
      const change = { asks: box.checked }
      await toastFailure(
        app,
        app.api.patch<MemorySettings>(`/api/spaces/${space_id}/memory-settings`, change).catch((error) => {
          box.checked = !change.asks
          throw error
        }),
      )
    }
    return [
      el('h2', {}, 'Memory'),
      el('p', { class: 'dim' }, memoryWords),
      el(
        'div',
        {},
        valueRow('Memory page', openButton(app, `/api/spaces/${space_id}/memory`, `memory-${space_id}`)),
        purgeRow(app, space_id),
        switchRow(
          'Propose lines',
          box,
          '“Never ask” turns this off. What you ask for is drafted either way.',
        ),
      ),
    ]
  },
})

/** For a line that is on the page, or was. */
function purgeRow(app: App, spaceId: string | null): HTMLElement {
  const id = `memory-purge-${spaceId ?? 'everywhere'}`
  const input = el('input', {
    id: `${id}-text`,
    class: 'field',
    maxlength: 2000,
    'aria-label': 'Text of the line',
  })
  const button = renderArmedButton({
    label: 'Remove',
    name: 'the line from history',
    id,
    press: async () => {
      if (input.value.trim() === '') return input.focus()
      button.disabled = true
      if (await purgeMemory(app, spaceId, input.value)) input.value = ''
      button.disabled = false
    },
  })
  return hintedRow(
    'Remove from history',
    'A line that is forgotten stays in the history of the page. Type it to remove it there, too.',
    input,
    button,
  )
}

/** Opens a memory page, which is created where there is none. */
function openButton(app: App, path: string, id: string): HTMLElement {
  async function open(): Promise<void> {
    try {
      const page = await app.api.get<EntityRow>(path)
      const slug = app.state.get().spaces.find((space) => space.id === page.space_id)?.slug
      const href = slug && entityHref(slug, 'page', page.id)
      if (href) await app.navigate(href)
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
  return el('button', { class: 'button button-small', type: 'button', id, onclick: open }, 'Open page')
}
