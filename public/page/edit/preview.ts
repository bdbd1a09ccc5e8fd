import type { Links } from '../../../lib/contract/entities.ts'
import { splitFrontMatter } from '../../../lib/core/text/split-note.ts'
import { renderMarkdown } from '../../ui/markdown/markdown.ts'
import { withoutTitle } from '../../ui/markdown/outline.ts'
import type { Embedder } from '../data/page-data.ts'

export type Preview = {
  /** The text has changed: it is rendered after a delay, which grows with the time that rendering takes. */
  changed(): void
  setLinks(links: Links['links'], embed: Embedder | undefined): void
  redraw(): void
}

export type PreviewOptions = {
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
export function createPreview({
  box,
  slug,
  read,
  title,
  isShown,
  signal,
  ...options
}: PreviewOptions): Preview {
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
