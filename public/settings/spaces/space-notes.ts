import type { Space } from '../../../lib/contract/entities.ts'
import type { NoteSettings } from '../../../lib/contract/space/notes.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { fieldRow } from '../parts/setting.ts'

type Data = { space: Space; settings: NoteSettings }

type NoteField = { name: keyof NoteSettings; label: string; hint?: string; required: boolean; limit: number }

const fields: readonly NoteField[] = [
  {
    name: 'templates_page',
    label: 'Templates',
    hint: 'The pages below this one',
    required: true,
    limit: 200,
  },
  { name: 'daily_title', label: 'Title of a daily note', required: true, limit: 100 },
  {
    name: 'daily_parent',
    label: 'Daily notes go below',
    hint: 'Empty: no page',
    required: false,
    limit: 200,
  },
  {
    name: 'daily_template',
    label: 'Template of a daily note',
    hint: 'Optional',
    required: false,
    limit: 200,
  },
]

/** Where the templates of a Space are, and how its daily notes are made. */
export const spaceNotesSection = defineSection<Data>({
  load: async ({ api, space }) => ({
    space: space!,
    settings: await api.get<NoteSettings>(`/api/spaces/${space!.id}/note-settings`),
  }),
  render: (data, context) => [
    el('h2', {}, 'Notes'),
    el(
      'p',
      { class: 'dim' },
      'In a template, {{date}}, {{time}} and {{title}} are filled in; {{date:dddd D MMMM YYYY}} sets how. Titles of daily ' +
        'notes take the same: YYYY, MM, DD, dddd, D, MMMM, WW, and [text] as it is.',
    ),
    renderForm(data, context),
  ],
})

function renderForm({ space, settings }: Data, { app }: ViewContext): HTMLElement {
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
    'form',
    { class: 'stack', onsubmit: save, 'aria-label': 'Notes' },
    fields.map(({ label, hint }, index) => fieldRow(label, inputs[index]!, hint)),
    problem,
    el('div', { class: 'row' }, el('button', { class: 'button button-primary', type: 'submit' }, 'Save')),
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
