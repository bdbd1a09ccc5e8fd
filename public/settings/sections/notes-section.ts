import type { Space } from '../../../lib/contract/entities.ts'
import { maxClipLength } from '../../../lib/contract/limits.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { NoteSettings } from '../../../lib/contract/space/notes.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { serverUrl } from '../../ui/address.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { fieldRow } from '../parts/setting.ts'

type Data = { space: Space; settings: NoteSettings }[]

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
    renderClipper(context),
  ],
  mount(root) {
    root.querySelector('#bookmarklet')?.setAttribute('href', bookmarkletHref(serverUrl()))
  },
})

const renderClipper = ({ app }: ViewContext): HTMLElement =>
  el(
    'section',
    { class: 'stack', 'aria-label': 'Clip web pages' },
    el('h3', {}, 'Clip web pages'),
    el(
      'p',
      { class: 'dim' },
      'Drag this to the bookmarks bar. On a web page, click it to save the page, or the text that you have ' +
        'selected, as a reference.',
    ),
    el(
      'div',
      { class: 'row' },
      el(
        'a',
        {
          class: 'button',
          id: 'bookmarklet',
          href: '/capture',
          draggable: 'true',
          onclick: (event: MouseEvent) => {
            event.preventDefault()
            app.toast('Drag the button to the bookmarks bar of the browser.')
          },
        },
        'Clip to Void',
      ),
      el('a', { class: 'button button-quiet', href: '/capture' }, 'New quick note'),
    ),
  )

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
      { class: 'stack', onsubmit: save },
      fields.map(({ label, hint }, index) => fieldRow(label, inputs[index]!, hint)),
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

/**
 * The address of a bookmark that opens the page for notes of this server with the page it is pressed on: its title and
 * address, the selection or else all of it. The page goes over in a message to this server alone, because policies of
 * pages forbid them to send forms elsewhere; where browsers keep the two apart, title, address and selection arrive.
 */
const bookmarkletHref = (server: string): string =>
  `javascript:${encodeURIComponent(`(${clip})(${JSON.stringify(server)})`)}`

// Runs in a page of another site, so it is written out with nothing around it.
const clip = `server => {
  const selection = getSelection(), chosen = String(selection).trim()
  const root = document.createElement('div')
  if (chosen) for (let i = 0; i < selection.rangeCount; i++) root.append(selection.getRangeAt(i).cloneContents())
  else root.append(document.body.cloneNode(true))
  root.querySelectorAll('script,style,noscript,iframe,svg,template').forEach(node => node.remove())
  root.querySelectorAll('a[href]').forEach(link => link.setAttribute('href', link.href))
  const html = root.innerHTML.slice(0, ${maxClipLength})
  const given = new URLSearchParams({ title: document.title.slice(0, 500), url: location.href, text: chosen.slice(0, 2000).replace(/^/gm, '> ') })
  if (!chosen) given.delete('text')
  const { origin } = new URL(server)
  addEventListener('message', event => {
    if (event.origin === origin && event.data === 'void-clip-ready') event.source.postMessage({ voidClip: html }, origin)
  })
  open(server + '/capture#clip&' + given, '_blank')
}`
