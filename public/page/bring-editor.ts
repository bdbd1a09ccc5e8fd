import type { List } from '../../lib/contract/entities.ts'
import type { Suggestion } from '../../lib/contract/suggest.ts'
import { withQuery } from '../api.ts'
import type { ViewContext } from '../view.ts'
import { splitProperties } from './front-matter.ts'
import { followScroll } from './preview.ts'
import type { TextSource } from './text-source.ts'

export type EditorPlace = {
  /** The field that stands in until the editor is there. */
  plain: TextSource
  preview: HTMLElement
  onChange: () => void
}

const mostNames = 12

/** Puts the editor in the place of the plain field. `null` when it cannot be fetched: the field works too. */
export async function bringEditor(
  { app, space, signal }: ViewContext,
  { plain, preview, onChange }: EditorPlace,
): Promise<TextSource | null> {
  try {
    const { createEditor } = await import('./editor/code-mirror.ts')
    if (signal.aborted) return null
    const hadFocus = plain.hasFocus()
    const text = plain.read()
    // Above the properties nothing is to be written.
    const start = text.length - splitProperties(text).content.length
    const editor = createEditor({
      text,
      selection: hadFocus ? plain.selection() : { from: start, to: start },
      label: 'Text of the page',
      linkNames: async (q, names) => {
        const query = { q, space_id: space!.id, aliases: true, limit: mostNames }
        return (await app.api.get<List<Suggestion>>(withQuery('/api/suggest', query), { signal: names }))
          .items
      },
      onChange,
      signal,
    })
    plain.element.replaceWith(editor.element)
    followScroll(editor.scroller, preview, signal)
    if (hadFocus) editor.focus()
    return editor
  } catch {
    app.toast('The editor could not be fetched; the plain field works too.')
    return null
  }
}
