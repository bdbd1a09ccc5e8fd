import type { Page } from '../../../lib/contract/entities/entities.ts'
import type { Link } from '../../../lib/contract/entities/links.ts'
import type { Attachment } from '../../../lib/contract/imports.ts'
import type { List } from '../../../lib/contract/list.ts'
import type { Suggestion } from '../../../lib/contract/space/suggest.ts'
import { splitFrontMatter } from '../../../lib/text/front-matter.ts'
import { withQuery } from '../../api/api.ts'
import { upload } from '../../api/upload.ts'
import type { App } from '../../app/app.ts'
import type { ViewContext } from '../../app/view.ts'
import { loadEditorModes } from '../../storage/editor-modes.ts'
import type { EditFields } from './edit-fields.ts'
import type { Editor } from './editor/code-mirror.ts'
import type { Attaching } from './editor/paste/attach-files.ts'
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
  const editor = await loadEditor(fields.text(), preview, options)
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
  { links, onChange, context: { app, space, signal } }: EditorOptions,
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
      linkNames: async (q, names) => {
        const query = { q, space_id: space!.id, aliases: true, limit: maxSuggestions }
        return (await app.api.get<List<Suggestion>>(withQuery('/api/suggest', query), { signal: names }))
          .items
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

const attachingTo = (app: App, spaceId: string): Attaching => ({
  attach: (file, { name, ...options }) =>
    upload<Attachment>(withQuery(`/api/spaces/${spaceId}/attachments`, { name }), file, options),
  onAttached: (attached) => app.announce(`Attached ${attached.map(({ name }) => name).join(', ')}.`),
  onProblem: (message) => app.toast(message, { tone: 'problem' }),
  now: app.now,
})
