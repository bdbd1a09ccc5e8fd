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
  return { ...preview, toggle }

  function toggle(): void {
    const panes = getComputedStyle(section.querySelector('.edit-panes')!)
    const narrow = panes.getPropertyValue('--panes').trim() === 'one'
    const on = narrow ? section.dataset.pane !== 'preview' : section.dataset.pane === 'alone'
    section.dataset.pane = on ? (narrow ? 'preview' : 'write') : narrow ? 'write' : 'alone'
    button.setAttribute('aria-pressed', String(on))
    preview.redraw()
    if (narrow && !on) fields.text().focus()
  }
}
