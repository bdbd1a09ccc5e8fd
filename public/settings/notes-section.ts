import type { Space } from '../../lib/contract/entities/entities.ts'
import type { List } from '../../lib/contract/list.ts'
import type { NoteSettings } from '../../lib/contract/space/notes.ts'
import { messageOf } from '../api/api.ts'
import type { ViewContext } from '../app/view.ts'
import { visible } from '../components/visible.ts'
import { el } from '../dom.ts'
import { defineSection } from './section.ts'

type Data = { space: Space; settings: NoteSettings }[]

const fields: readonly { name: keyof NoteSettings; label: string; required: boolean; limit: number }[] = [
  { name: 'templates_page', label: 'Templates are the pages below', required: true, limit: 200 },
  { name: 'daily_title', label: 'Title of a daily note', required: true, limit: 100 },
  { name: 'daily_parent', label: 'Daily notes go below (empty: no page)', required: false, limit: 200 },
  { name: 'daily_template', label: 'Template of a daily note (optional)', required: false, limit: 200 },
]

/** Where the templates of each Space are, and how its daily notes are made. */
export const notesSection = defineSection<Data>({
  async load({ api }) {
    const { items } = await api.get<List<Space>>('/api/spaces?limit=200')
    return await Promise.all(
      items.map(async (space) => ({
        space,
        settings: await api.get<NoteSettings>(`/api/spaces/${space.id}/note-settings`),
      })),
    )
  },
  render: (data, context) => [
    el(
      'p',
      { class: 'dim' },
      'In a template, {{date}}, {{time}} and {{title}} are filled in; {{date:dddd D MMMM YYYY}} sets how. Titles of daily ' +
        'notes take the same: YYYY, MM, DD, dddd, D, MMMM, WW, and [text] as it is.',
    ),
    data.map((one) => renderSpace(one, context)),
  ],
})

function renderSpace({ space, settings }: Data[number], { app }: ViewContext): HTMLElement {
  const problem = el('p', { class: 'problem', role: 'alert' })
  const inputs = fields.map(({ name, required, limit }) =>
    el('input', {
      class: 'field',
      id: `notes-${space.id}-${name}`,
      name,
      value: settings[name],
      required,
      maxlength: limit,
      autocomplete: 'off',
    }),
  )
  return el(
    'section',
    { class: 'stack', 'aria-label': space.name },
    el('h3', {}, visible(space.name)),
    el(
      'form',
      { class: 'token-form', onsubmit: save },
      fields.map(({ label }, index) =>
        el('label', {}, el('span', { class: 'field-label' }, label), inputs[index]),
      ),
      problem,
      el('div', { class: 'row' }, el('button', { class: 'button button-primary', type: 'submit' }, 'Save')),
    ),
  )

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    problem.textContent = ''
    const values = Object.fromEntries(inputs.map(({ name, value }) => [name, value.trim()]))
    try {
      await app.api.patch(`/api/spaces/${space.id}/note-settings`, values)
      app.toast(`Saved for ${space.name}.`)
    } catch (error) {
      problem.textContent = messageOf(error)
    }
  }
}
