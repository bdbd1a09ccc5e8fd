import type { Preview } from '../../../lib/contract/space/preview.ts'
import type { AppContext } from '../../app/app.ts'
import { kindIcon } from '../../ui/components/icon.ts'
import { placePopover } from '../../ui/components/place-popover.ts'
import { type Child, el } from '../../ui/dom.ts'
import { loadRichSyntax, renderMarkdown, textContext } from '../../ui/markdown/markdown.ts'
import { kindLabel } from '../../ui/words/addresses.ts'
import { isImage } from '../../ui/words/mime-name.ts'
import { loadPreview, type PreviewAim } from './load-preview.ts'

type Wanted = {
  link: HTMLAnchorElement
  aim: PreviewAim & { slug: string }
  /** Whether the link is still rested on. */
  isWanted(): boolean
}

/**
 * Shows the beginning of what a link leads to beside it; null where there is nothing to show or nobody waits any more.
 * Its links are for the pointer: on the page itself the keyboard reaches them.
 */
export async function showPreview({ app, signal }: AppContext, { link, aim, isWanted }: Wanted) {
  const { slug, ...what } = aim
  const [preview] = await Promise.all([loadPreview(app.api, what, signal), loadRichSyntax()])
  if (!preview || !isWanted()) return null
  const space = app.state.get().spaces.find((each) => each.slug === slug) ?? { slug, line_breaks: null }
  const popover = el(
    'div',
    { class: 'preview', popover: 'manual', role: 'group', 'aria-label': `Preview of ${preview.title}` },
    el(
      'p',
      { class: 'preview-title' },
      kindIcon(preview.entity_type),
      el('bdi', {}, preview.title),
      preview.headings.map((heading) => [el('span', { class: 'dim' }, ' › '), el('bdi', {}, heading)]),
    ),
    contentOf(preview, space),
  )
  for (const part of popover.querySelectorAll<HTMLElement>('a, button, input, summary, [tabindex]'))
    part.tabIndex = -1
  // It would be shown over the preview, and says less.
  const { title } = link
  link.removeAttribute('title')
  const landmark = link.closest('main, aside') ?? document.body
  landmark.append(popover)
  popover.showPopover()
  placePopover(popover, lineAt(link))
  return {
    link,
    hide: () => {
      popover.remove()
      if (title) link.title = title
    },
    holds: (target: EventTarget | null) => target instanceof Node && popover.contains(target),
  }
}

function contentOf(preview: Preview, space: Parameters<typeof textContext>[0]): Child {
  const { id, title, mime, text, path } = preview
  if (mime && isImage(mime))
    return el('img', { class: 'preview-image', src: `/api/source-docs/${id}/original`, alt: title })
  if (text.trim() === '') return el('p', { class: 'dim' }, `${kindLabel(preview.entity_type)} without text`)
  return renderMarkdown(text, { ...textContext(space, preview), path })
}

/** A link over several lines is shown at its first. */
const lineAt = (link: Element): DOMRect => link.getClientRects()[0] ?? link.getBoundingClientRect()
