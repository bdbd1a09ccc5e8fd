import type { EditorView } from '@codemirror/view'
import type { Link, Page, Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { TagCount } from '../../../lib/contract/space/pages.ts'
import type { Suggestion } from '../../../lib/contract/space/search.ts'
import { splitFrontMatter } from '../../../lib/core/text/markdown.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { composeMessage } from '../../app/actions/conversation.ts'
import { messageOf } from '../../app/api/api.ts'
import { attachTo } from '../../app/api/upload.ts'
import type { App } from '../../app/app.ts'
import { loadEditorModes } from '../../app/storage/editor-modes.ts'
import type { ViewContext } from '../../app/view.ts'
import { entityHref, withQuery } from '../../ui/words/addresses.ts'
import type { EditFields } from './edit-fields.ts'
import type { Attaching } from './editor/attach-files.ts'
import type { Editor } from './editor/code-mirror.ts'
import type { TextSource } from './editor/text-source.ts'
import { followScroll } from './preview.ts'

const maxSuggestions = 12

type EditorOptions = { page: Page; links: readonly Link[]; onChange: () => void; context: ViewContext }

/** Replaces the plain field by the editor, and focuses the first field to fill. */
export async function replacePlainField(
  root: HTMLElement,
  fields: EditFields,
  options: EditorOptions,
): Promise<Editor | null> {
  const { page, context } = options
  const preview = root.querySelector<HTMLElement>('#edit-preview')!
  const title = () => fields.title.value
  const editor = await loadEditor(fields.text(), preview, { ...options, title })
  if (editor) fields.setText(editor)
  const focused = document.activeElement
  if (context.signal.aborted || (focused && focused !== document.body && focused.id !== 'content'))
    return editor
  if (page.title === 'Untitled' && page.body === '') {
    fields.title.focus()
    fields.title.select()
  } else fields.text().focus()
  return editor
}

/** `null` when it could not be loaded: the plain field stays. */
async function loadEditor(
  plain: TextSource,
  preview: HTMLElement,
  { page, links, onChange, title, context: { app, space, signal } }: EditorOptions & { title: () => string },
): Promise<Editor | null> {
  try {
    const { createEditor } = await import('./editor/code-mirror.ts')
    if (signal.aborted) return null
    const hadFocus = plain.hasFocus()
    const text = plain.read()
    // The caret goes below the properties.
    const start = text.length - splitFrontMatter(text).content.length
    const editor = createEditor({
      text,
      selection: hadFocus ? plain.selection() : { from: start, to: start },
      label: 'Page text',
      ...linking(page, { app, space: space! }),
      tags: async (signal) =>
        (await app.api.get<List<TagCount>>(`/api/spaces/${space!.id}/tags`, { signal })).items,
      actions: {
        ask: (view) => askAbout(app, view),
        template: (view) => void startTemplate(view, title, { app, space: space! }),
        now: app.now,
      },
      attaching: attachingTo(app, space!.id),
      links,
      source: loadEditorModes().source,
      onChange,
      signal,
    })
    plain.element.replaceWith(editor.element)
    followScroll(editor.scroller, preview, signal)
    if (hadFocus) editor.focus()
    return editor
  } catch {
    app.toast('Could not load the editor. You can write in the plain field instead.')
    return null
  }
}

/** What the links of the text lead to, and pages that they name first. */
const linking = (page: Page, { app, space }: { app: App; space: Space }) => {
  const create = (title: string) => createLinked(app, space, { title, parent_id: page.parent_id })
  return {
    pages: {
      create,
      async names(q: string, signal: AbortSignal) {
        const query = { q, space_id: space.id, aliases: true, limit: maxSuggestions }
        return (await app.api.get<List<Suggestion>>(withQuery('/api/suggest', query), { signal })).items
      },
    },
    follow: {
      entity: (type: string, id: string) => void app.navigate(entityHref(space.slug, type, id) ?? '#'),
      missing(title: string) {
        const action = { label: 'Create page', run: () => create(title) }
        app.toast(`There is no ${quoteShown(title)} yet.`, { action })
      },
      address(url: string) {
        if (/^\/s\//.test(url)) void app.navigate(url)
        else if (/^(?:https?:\/\/|mailto:)/i.test(url)) window.open(url, '_blank', 'noopener,noreferrer')
      },
    },
  }
}

async function createLinked(
  app: App,
  space: Space,
  { title, parent_id }: { title: string; parent_id: string | null },
): Promise<void> {
  try {
    const body = { title, body: '', parent_id }
    const { id } = await app.api.post<Page>(`/api/spaces/${space.id}/pages`, body)
    const run = () => app.navigate(`${entityHref(space.slug, 'page', id)}?edit=1`)
    app.toast(`Created ${quoteShown(title)}.`, { action: { label: 'Open', run } })
  } catch (error) {
    app.toast(`Could not create ${quoteShown(title)}. ${messageOf(error)}`, { tone: 'problem' })
  }
}

const maxAsked = 300

/** Puts the paragraph of the caret into the composer, for a question about it. */
function askAbout(app: App, { state }: EditorView): void {
  const { text } = state.doc.lineAt(state.selection.main.head)
  const about = text.trim() === '' ? '' : `About ${quoteShown(text.trim(), maxAsked)}: `
  composeMessage(app, about)
}

async function startTemplate(
  view: EditorView,
  title: () => string,
  place: { app: App; space: Space },
): Promise<void> {
  const { insertTemplate } = await import('../notes/template-dialog.ts')
  await insertTemplate(place, title, (text) => {
    const { from, to } = view.state.selection.main
    view.dispatch({
      changes: { from, to, insert: text },
      selection: { anchor: from + text.length },
      userEvent: 'input.complete',
      scrollIntoView: true,
    })
    view.focus()
  })
}

const attachingTo = (app: App, spaceId: string): Attaching => ({
  attach: (file, options) => attachTo(spaceId, file, options),
  onAttached: (attached) => app.announce(`Attached ${attached.map(({ name }) => name).join(', ')}.`),
  onProblem: (message) => app.toast(message, { tone: 'problem' }),
  now: app.now,
})
