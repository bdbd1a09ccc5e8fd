import type { Links } from '../../../lib/contract/entities.ts'
import { splitFrontMatter } from '../../../lib/core/text/markdown.ts'
import { loadEditorModes, saveEditorModes } from '../../app/storage/editor-modes.ts'
import type { ViewContext } from '../../app/view.ts'
import { renderMarkdown } from '../../ui/markdown/markdown.ts'
import { withoutTitle } from '../../ui/markdown/outline.ts'
import type { Embedder, LivePage } from '../data/page-data.ts'
import type { EditFields } from './edit-fields.ts'

export type Preview = {
  /** The text has changed: it is rendered after a delay, which grows with the time that rendering takes. */
  changed(): void
  setLinks(links: Links['links'], embed: Embedder | undefined): void
  redraw(): void
}

type PreviewOptions = {
  box: HTMLElement
  slug: string
  links: Links['links']
  embed: Embedder | undefined
  read: () => string
  title: () => string
  /** Whether it is visible. */
  isShown: () => boolean
  signal: AbortSignal
}

const minDelayMs = 120

/** Renders the text while it is edited. */
function createPreview({ box, slug, read, title, isShown, signal, ...options }: PreviewOptions): Preview {
  let { links, embed } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  let tookMs = 0
  signal.addEventListener('abort', () => clearTimeout(timer))

  return {
    changed() {
      clearTimeout(timer)
      timer = setTimeout(draw, Math.max(minDelayMs, tookMs * 5))
    },
    setLinks(newer, embedder) {
      links = newer
      embed = embedder
      draw()
    },
    redraw: draw,
  }

  function draw(): void {
    if (!isShown()) return
    const began = performance.now()
    const { content } = splitFrontMatter(read())
    const text = withoutTitle(content, title())
    const { scrollTop } = box
    box.replaceChildren(renderMarkdown(text, { slug, links, embed }))
    box.scrollTop = scrollTop
    tookMs = performance.now() - began
  }
}

/** Scrolls one in the measure of the other. */
export function followScroll(from: HTMLElement, to: HTMLElement, signal: AbortSignal): void {
  from.addEventListener(
    'scroll',
    () => {
      const length = from.scrollHeight - from.clientHeight
      if (length > 0) to.scrollTop = (from.scrollTop / length) * (to.scrollHeight - to.clientHeight)
    },
    { signal, passive: true },
  )
}

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
