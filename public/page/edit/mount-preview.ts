import { loadEditorModes, saveEditorModes } from '../../app/storage/editor-modes.ts'
import type { ViewContext } from '../../app/view.ts'
import type { LivePage } from '../data/page-data.ts'
import type { EditFields } from './edit-fields.ts'
import { createPreview, type Preview } from './preview.ts'

/** The preview next to the text; on a narrow window, in place of it. `toggle` shows or hides it. */
export function mountPreview(
  root: HTMLElement,
  { links, embed }: LivePage,
  fields: EditFields,
  { space, signal }: ViewContext,
): Preview & { toggle(): void } {
  const section = root.querySelector<HTMLElement>('.edit')!
  const box = root.querySelector<HTMLElement>('#edit-preview')!
  const button = root.querySelector<HTMLElement>('#preview-toggle')!
  const preview = createPreview({
    box,
    slug: space!.slug,
    links: links.links,
    embed,
    read: () => fields.read().body,
    title: () => fields.title.value,
    isShown: () => box.checkVisibility(),
    signal,
  })
  button.addEventListener('click', toggle, { signal })
  if (loadEditorModes().beside && !isNarrow()) show(true)
  return { ...preview, toggle }

  function isNarrow(): boolean {
    const panes = getComputedStyle(section.querySelector('.edit-panes')!)
    return panes.getPropertyValue('--panes').trim() === 'one'
  }

  function toggle(): void {
    const on = section.dataset.pane === 'alone'
    if (!isNarrow()) saveEditorModes({ beside: on })
    show(on)
    if (!on) fields.text().focus()
  }

  function show(on: boolean): void {
    section.dataset.pane = on ? (isNarrow() ? 'preview' : 'write') : 'alone'
    button.setAttribute('aria-pressed', String(on))
    preview.redraw()
  }
}
