import type { Links, SourceDoc } from '../../../lib/contract/entities.ts'
import { isDrawingPath } from '../../../lib/core/text/drawings.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { deleteWithUndo } from '../../app/actions/delete-with-undo.ts'
import { ApiError, messageOf } from '../../app/api/api.ts'
import { defineView, type ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { editTitle } from '../../ui/components/title-editor.ts'
import { type Child, el } from '../../ui/dom.ts'
import { renderDrawing } from '../../ui/drawing.ts'
import { type MarkdownContext, renderMarkdown } from '../../ui/markdown/markdown.ts'
import { timeAgo } from '../../ui/time.ts'
import { entityHref, spaceHref } from '../../ui/words/addresses.ts'
import { linkedList } from '../../ui/words/linked-rows.ts'
import { isImage, isPlainText, mimeName } from '../../ui/words/mime-name.ts'
import { actorName } from '../../ui/words/names.ts'

/** `isBusy`: changes from elsewhere wait. */
type SourceDocData = { doc: SourceDoc; links: Links; isBusy: boolean }

export const view = defineView<SourceDocData>({
  async load({ api, params }) {
    const at = `/api/source-docs/${encodeURIComponent(params.id ?? '')}`
    const [doc, links] = await Promise.all([api.get<SourceDoc>(at), api.get<Links>(`${at}/links`)])
    return { doc, links, isBusy: false }
  },
  title: ({ doc }) => doc.title,
  layout: 'wide',
  subject: ({ doc }) => ({ entityType: 'source_doc', entityId: doc.id, title: doc.title }),
  render: ({ doc, links }, { space, now }) =>
    el(
      'article',
      { class: 'source-doc', 'aria-labelledby': 'title' },
      el(
        'p',
        { class: 'crumbs' },
        el('a', { id: 'crumb', href: `${spaceHref(space!.slug)}/source-docs` }, 'Files'),
      ),
      el(
        'header',
        { class: 'detail-head' },
        el(
          'h1',
          { class: 'detail-title', id: 'title' },
          el('button', { type: 'button', id: 'rename', title: 'Rename (r)' }, doc.title),
        ),
        el(
          'button',
          {
            class: 'icon-button',
            type: 'button',
            id: 'history',
            title: 'History (h)',
            'aria-label': 'History of this file',
          },
          icon('clock'),
        ),
        el(
          'button',
          {
            class: 'icon-button',
            type: 'button',
            id: 'delete',
            title: 'Delete',
            'aria-label': 'Delete this file',
          },
          icon('trash'),
        ),
      ),
      el(
        'p',
        { class: 'detail-meta' },
        `${mimeName(doc.mime)} · imported `,
        timeAgo(doc.created_at, now),
        ` by ${actorName(doc.created_by)} · text is read-only`,
      ),
      doc.title.toLowerCase().endsWith('.base') &&
        el(
          'p',
          {},
          el(
            'a',
            {
              class: 'button',
              id: 'open-view',
              href: `${entityHref(space!.slug, 'page_view', doc.id)}?file=1`,
            },
            icon('list'),
            'Show pages',
          ),
        ),
      isDrawingPath(doc.path ?? doc.title)
        ? [renderDrawing(links.picture, doc.title), original(doc)]
        : renderSides(doc, { slug: space!.slug, links: links.links }),
      linkedList('Linked from', links.backlinks, space!.slug),
    ),
  mount: mountSourceDoc,
  affectedBy: (event, { doc, isBusy }) => event.type === 'entity' && event.data.id === doc.id && !isBusy,
  keepsItself: ({ isBusy }) => isBusy,
})

/** The title of a file can be edited; its text never changes. */
function mountSourceDoc(root: HTMLElement, data: SourceDocData, context: ViewContext): void {
  const { app, signal, space, url } = context
  void drawCanvas(root, data, context)
  const rename = () => {
    data.isBusy = true
    editTitle(root.querySelector<HTMLElement>('#rename'), {
      title: data.doc.title,
      name: 'detail-title-field',
      onEnd(title) {
        data.isBusy = false
        if (title !== null) saveTitle(data, context, title)
      },
    })
  }
  const showHistory = async () => {
    const dialog = await import('../../page/history/history-dialog.ts')
    await dialog.showHistory(app, { path: `/api/source-docs/${data.doc.id}`, title: data.doc.title })
  }
  const remove = async () => {
    data.isBusy = true
    const back = () => app.navigate(url.pathname)
    if (await deleteWithUndo(app, 'source_doc', data.doc, back))
      app.navigate(`${spaceHref(space!.slug)}/source-docs`)
    else data.isBusy = false
  }
  root.querySelector('#rename')?.addEventListener('click', rename, { signal })
  root.querySelector('#history')?.addEventListener('click', showHistory, { signal })
  root.querySelector('#delete')?.addEventListener('click', remove, { signal })
  const group = 'File'
  app.keys.add(
    [
      { key: 'r', label: 'Rename', run: rename, group },
      { key: 'h', label: 'History', run: showHistory, group },
      { key: 'Delete', label: 'Move to trash', run: remove, group },
    ],
    signal,
  )
}

async function drawCanvas(
  root: HTMLElement,
  { doc, links }: SourceDocData,
  context: ViewContext,
): Promise<void> {
  const place = root.querySelector<HTMLElement>('#canvas')
  if (!place) return
  const { mountCanvas } = await import('../canvas/mount-canvas.ts')
  const { app, space, signal } = context
  if (signal.aborted) return
  await mountCanvas(place, `/api/source-docs/${doc.id}/original`, {
    api: app.api,
    space: space!,
    links,
    signal,
  })
}

async function saveTitle(
  { doc }: SourceDocData,
  { app, refresh }: ViewContext,
  title: string,
): Promise<void> {
  try {
    await app.api.patch(`/api/source-docs/${doc.id}`, { title, version: doc.version })
    app.announce('Saved')
  } catch (error) {
    const stale = error instanceof ApiError && error.status === 409
    const why = stale ? 'It was changed in the meantime.' : messageOf(error)
    app.toast(`Could not rename the file to ${quoteShown(title)}. ${why}`, { tone: 'problem' })
  }
  await refresh().catch(() => {})
}

/** A picture or a canvas comes first, and its text behind it; any other document stands next to its text. */
function renderSides(doc: SourceDoc, context: MarkdownContext): Child {
  if (isImage(doc.mime)) return [original(doc), doc.text.trim() !== '' && textSection(doc, context)]
  if (doc.mime === canvasMime) {
    return [
      el('div', { class: 'canvas-place', id: 'canvas' }),
      el('details', { class: 'canvas-source' }, el('summary', {}, 'Text'), text(doc, context)),
      original(doc),
    ]
  }
  return el(
    'div',
    { class: 'sides' },
    textSection(doc, context),
    el(
      'section',
      { class: 'side', 'aria-labelledby': 'side-original' },
      el('h2', { class: 'detail-heading', id: 'side-original' }, 'Original'),
      original(doc),
    ),
  )
}

const canvasMime = 'application/x-canvas'

const textSection = (doc: SourceDoc, context: MarkdownContext) =>
  el(
    'section',
    { class: 'side', 'aria-labelledby': 'side-text' },
    el('h2', { class: 'detail-heading', id: 'side-text' }, 'Text'),
    text(doc, context),
  )

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
      el('img', { src: href, alt: title }),
    )
  }
  return el(
    'div',
    { class: 'stack' },
    isPlainText(mime) &&
      !isDrawingPath(title) &&
      el('pre', { class: 'original-text', tabindex: 0, 'aria-label': 'Original' }, text),
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
