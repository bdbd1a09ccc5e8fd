import type { Page, Space } from '../../../lib/contract/entities.ts'
import type { NoteSettings, Template } from '../../../lib/contract/space/notes.ts'
import { fillTemplate } from '../../../lib/core/text/dates/format-moment.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { entityHref, spaceHref } from '../../ui/words/addresses.ts'
import { localMoment } from './daily-note.ts'

type Place = { app: App; space: Space }

/** Makes a page from a template that is chosen, and opens it in the editor. */
export async function newFromTemplate({ app, space }: Place, parentId: string | null): Promise<void> {
  const field = el('input', {
    class: 'field',
    id: 'template-title',
    type: 'text',
    maxlength: 500,
    autocomplete: 'off',
    placeholder: 'Untitled',
  })
  const title = () => field.value.trim() || 'Untitled'
  const label = el('label', {}, el('span', { class: 'field-label' }, 'Title'), field)
  await chooseTemplate({ app, space }, { heading: 'New from template', title, before: label }, (body) =>
    createPage({ app, space }, { title: title(), body, parent_id: parentId }),
  )
}

/** Gives the filled-in text of a template that is chosen. `title`: of the page that it is for. */
export const insertTemplate = (place: Place, title: () => string, insert: (text: string) => void) =>
  chooseTemplate(place, { heading: 'Insert template', title }, async (text) => insert(text))

type Choice = { heading: string; title: () => string; before?: HTMLElement }

async function chooseTemplate(
  { app, space }: Place,
  { heading, title, before }: Choice,
  onChoose: (text: string) => Promise<void>,
): Promise<void> {
  try {
    const path = `/api/spaces/${space.id}`
    const { items } = await app.api.get<{ items: Template[] }>(`${path}/templates`)
    const list = items.length > 0 ? renderList(items, choose) : await renderNone({ app, space })
    const dialog = showDialog(
      { title: heading, name: 'template' },
      items.length > 0 && before,
      list,
      el('p', { class: 'problem', id: 'template-problem', role: 'alert' }),
      el(
        'div',
        { class: 'row' },
        el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Cancel'),
      ),
    )
    dialog.querySelector<HTMLElement>('input, .template-choice')?.focus()

    async function choose({ id }: Template): Promise<void> {
      try {
        const { body } = await app.api.get<Page>(`/api/pages/${id}`)
        const text = fillTemplate(body, { ...localMoment(app.now()), title: title() })
        dialog.close()
        await onChoose(text)
      } catch (error) {
        const problem = dialog.querySelector('#template-problem')
        if (dialog.isConnected && problem) problem.textContent = messageOf(error)
        else app.toast(messageOf(error), { tone: 'problem' })
      }
    }
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
}

const renderList = (items: readonly Template[], choose: (template: Template) => void): Child =>
  el(
    'ul',
    { class: 'rows', 'aria-label': 'Templates' },
    items.map((template) =>
      el(
        'li',
        {},
        el(
          'button',
          { class: 'menu-item template-choice', type: 'button', onclick: () => choose(template) },
          icon('page'),
          el('span', { class: 'grow' }, template.title),
        ),
      ),
    ),
  )

async function renderNone({ app, space }: Place): Promise<Child> {
  const { templates_page } = await app.api.get<NoteSettings>(`/api/spaces/${space.id}/note-settings`)
  return el(
    'p',
    {},
    `No templates yet. Every page below a page called ${quoteShown(templates_page)} is one. `,
    el('a', { href: `${spaceHref(space.slug)}/pages` }, 'Go to Pages'),
  )
}

async function createPage(
  { app, space }: Place,
  fields: { title: string; body: string; parent_id: string | null },
): Promise<void> {
  const page = await app.api.post<Page>(`/api/spaces/${space.id}/pages`, fields)
  await app.navigate(`${entityHref(space.slug, 'page', page.id)}?edit=1`)
}
