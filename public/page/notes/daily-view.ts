import { messageOf } from '../../app/api/api.ts'
import { defineView } from '../../app/view.ts'
import { el } from '../../ui/dom.ts'
import { findDailyNote } from './daily-note.ts'

/** Opens today's note in its place: an address for a bookmark, which reads nothing and changes nothing by itself. */
export const view = defineView<null>({
  load: async () => null,
  title: () => 'Today’s note',
  render: () => [
    el('h1', {}, 'Today’s note'),
    el('p', { class: 'dim', id: 'daily-status', role: 'status' }, 'Opening…'),
  ],
  mount(root, _data, { app, space, signal }) {
    findDailyNote(app, space!).then(
      async (href) => {
        if (!signal.aborted) await app.navigate(href, { replace: true })
      },
      (error: unknown) => {
        const status = root.querySelector('#daily-status')
        if (status) status.textContent = `Could not open it. ${messageOf(error)}`
      },
    )
  },
})
