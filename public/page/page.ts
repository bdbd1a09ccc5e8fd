import type { AuditRow } from '../../lib/contract/audit.ts'
import type { EntityVersion, Links, Page, Properties } from '../../lib/contract/entities.ts'
import type { List } from '../../lib/contract/list.ts'
import type { PagePlace } from '../../lib/contract/space/pages.ts'
import { isDrawing } from '../../lib/core/text/drawings.ts'
import { splitFrontMatter } from '../../lib/core/text/markdown.ts'
import { quoteShown } from '../../lib/core/text/quote-name.ts'
import { ApiError, messageOf } from '../app/api/api.ts'
import { defineView, type LoadContext, type View, type ViewContext } from '../app/view.ts'
import { icon } from '../ui/components/icon.ts'
import { el } from '../ui/dom.ts'
import { timeAgo } from '../ui/time.ts'
import { actorName } from '../ui/words/names.ts'
import { loadEmbeds } from './data/load-embeds.ts'
import { auditPath, type PageData } from './data/page-data.ts'
import { mountReadPage } from './read/mount-read.ts'
import { renderReadPage } from './read/read-page.ts'

/** A page that does not exist yet may be what a draft would make; an address with `?draft` says so. */
export const view: View = {
  async open(context) {
    const preview = async () => (await import('../drafts/on-page/new-page-view.ts')).openNewPage(context)
    const draft = context.url.searchParams.has('draft') ? await preview() : null
    if (draft) return draft
    return await pageView.open(context).catch(async (error) => {
      const newPage = error.status === 404 ? await preview() : null
      if (!newPage) throw error
      return newPage
    })
  },
}

const pageView = defineView<PageData>({
  layout: 'wide',
  load: loadPage,
  title: ({ page, mode }) => (mode === 'history' ? `History of ${page.title}` : page.title),
  subject: ({ page }) => ({
    entityType: 'page',
    entityId: page.id,
    title: page.title,
    version: page.version,
  }),
  keepsItself: (data) => data.mode === 'read' && data.isBusy === true,
  affectedBy: (event, { page }) =>
    event.type === 'entity' &&
    event.data.space_id === page.space_id &&
    (event.data.kind === 'page' || event.data.action !== 'update'),

  render(data, context) {
    if (data.mode === 'deleted') return renderDeleted(data, context)
    if (data.mode === 'history') return data.renderer.renderHistory(data, context)
    return renderReadPage(data, context)
  },

  mount(root, data, context) {
    if (data.mode === 'history') data.renderer.mountHistory(root, data, context)
    if (data.mode === 'read') mountReadPage(root, data, context)
  },
})

function renderDeleted({ page }: PageData, { app, now, refresh }: ViewContext): HTMLElement {
  const restore = async () => {
    try {
      await app.api.post(`/api/pages/${page.id}/restore`)
      await refresh()
    } catch (error) {
      app.toast(`Could not restore ${quoteShown(page.title)}. ${messageOf(error)}`, { tone: 'problem' })
    }
  }
  return el(
    'section',
    { class: 'empty page-gone' },
    el('h1', {}, page.title),
    el(
      'p',
      {},
      'This page was moved to trash ',
      timeAgo(page.deleted_at ?? page.updated_at, now),
      ` by ${actorName(page.updated_by)}.`,
    ),
    el(
      'button',
      { class: 'button button-primary', type: 'button', onclick: restore },
      icon('restore'),
      'Restore',
    ),
  )
}

/** `?edit` begins to write, `?history` shows the versions. Throws a 404 for a page of another Space. */
async function loadPage({ api, params, url, space }: LoadContext): Promise<PageData> {
  const at = `/api/pages/${encodeURIComponent(params.id ?? '')}`
  const page = await api.get<Page>(at)
  if (page.space_id !== space?.id) throw new ApiError(404, 'not_found', 'This page is in another Space.')
  if (page.deleted_at !== null) return { mode: 'deleted', page }

  const [links, place] = await Promise.all([api.get<Links>(`${at}/links`), api.get<PagePlace>(`${at}/place`)])
  if (url.searchParams.has('history')) {
    const [audit, history, { renderHistory, mountHistory }] = await Promise.all([
      api.get<List<AuditRow>>(auditPath(page.id, null)),
      api.get<List<EntityVersion>>(`${at}/history?limit=200`),
      import('./history/history.ts'),
    ])
    return { mode: 'history', page, place, audit, history, renderer: { renderHistory, mountHistory } }
  }
  const embedding = () => loadEmbeds(api, page.id, links.links)
  const drawing = isDrawing(page) ? { drawing: await import('../ui/drawing.ts') } : {}
  const base = { mode: 'read' as const, page, links, place, properties: none, ...drawing }
  if (splitFrontMatter(page.body).yaml.trim() === '') return { ...base, embed: await embedding() }
  // Most pages have none.
  const [embed, properties, { renderProperties }] = await Promise.all([
    embedding(),
    api.get<Properties>(`${at}/properties`),
    import('./read/properties.ts'),
  ])
  return { ...base, properties, renderProperties, embed }
}

const none: Properties = { items: [], too_complex: false }
