import type { SourceDoc } from '../../../lib/contract/entities/entities.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { type MarkdownContext, renderMarkdown } from '../../ui/markdown/markdown.ts'
import { isImage, isPlainText, mimeName } from './mime-name.ts'

/** The text of a document next to the document itself. */
export function renderSides(doc: SourceDoc, context: MarkdownContext): HTMLElement {
  return el(
    'div',
    { class: 'sides' },
    el(
      'section',
      { class: 'side', 'aria-labelledby': 'side-text' },
      el('h2', { class: 'detail-heading', id: 'side-text' }, 'Text'),
      text(doc, context),
    ),
    el(
      'section',
      { class: 'side', 'aria-labelledby': 'side-original' },
      el('h2', { class: 'detail-heading', id: 'side-original' }, 'Original'),
      original(doc),
    ),
  )
}

/** Markdown, and that of a canvas, is rendered; any other text is shown as it is. */
function text({ text, mime }: SourceDoc, context: MarkdownContext): HTMLElement {
  if (text.trim() === '') return el('p', { class: 'dim' }, 'No text could be extracted.')
  return /^(?:text\/markdown|application\/x-canvas)$/.test(mime)
    ? renderMarkdown(text, context)
    : el('div', { class: 'as-text' }, text)
}

function original({ id, mime, title, text }: SourceDoc): HTMLElement {
  const href = `/api/source-docs/${id}/original`
  if (isImage(mime)) {
    return el(
      'a',
      {
        class: 'original-image',
        href,
        target: '_blank',
        rel: 'noopener noreferrer',
        title: 'Open full size',
      },
      el('img', { src: href, alt: title, loading: 'lazy' }),
    )
  }
  return el(
    'div',
    { class: 'stack' },
    isPlainText(mime) && el('pre', { class: 'original-text', tabindex: 0, 'aria-label': 'Original' }, text),
    el(
      'p',
      {},
      el(
        'a',
        { class: 'button', href, download: title },
        icon('download'),
        `Download original (${mimeName(mime)})`,
      ),
    ),
  )
}
