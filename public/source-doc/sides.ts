import type { SourceDoc } from '../../lib/contract/entities.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { type MarkdownContext, renderMarkdown } from '../markdown.ts'
import { isImage, isPlainText, mimeName } from './mime-name.ts'

/** What was read out of a document, beside the document itself. */
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

/** Markdown is rendered; any other text stands as it was read. */
function text({ text, mime }: SourceDoc, context: MarkdownContext): HTMLElement {
  if (text.trim() === '') return el('p', { class: 'dim' }, 'No text could be read from it.')
  return mime === 'text/markdown' ? renderMarkdown(text, context) : el('div', { class: 'as-text' }, text)
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
        title: 'Open it in full size',
      },
      el('img', { src: href, alt: `The original of ${title}`, loading: 'lazy' }),
    )
  }
  return el(
    'div',
    { class: 'stack' },
    isPlainText(mime) &&
      el('pre', { class: 'original-text', tabindex: 0, 'aria-label': 'The original' }, text),
    el(
      'p',
      {},
      el(
        'a',
        { class: 'button', href, download: title },
        icon('download'),
        `Download the original (${mimeName(mime)})`,
      ),
    ),
  )
}
