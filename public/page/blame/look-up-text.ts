import type { App } from '../../app/app.ts'
import { findText, selectedIn } from './passages.ts'
import { showBlame } from './show-blame.ts'

/** Looks up where a text in the view came from: the selection, or the first visible passage. */
export function lookUpText(app: App, selected: Range | null = null): void {
  const { subject, space } = app.state.get()
  const text = findText(document)
  if (!text || !subject || !space) {
    app.toast('There is no text here to look up.')
    return
  }
  showBlame(app, { subject, slug: space.slug, text, selected: selected ?? selectedIn(text) })
}
