import { actorName } from '../actor-name.ts'
import { messageOf } from '../api.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { renderEditPage } from '../page/edit-page.ts'
import { mountReadPage } from '../page/mount-read.ts'
import { type LivePage, loadPage, type PageData } from '../page/page-data.ts'
import { renderReadPage } from '../page/read-page.ts'
import { timeAgo } from '../time.ts'
import { defineView, type ViewContext } from '../view.ts'

export const view = defineView<PageData>({
  layout: 'wide',
  load: loadPage,
  title: ({ page, mode }) => (mode === 'history' ? `History of ${page.title}` : page.title),
  subject: ({ page }) => ({
    entityType: 'page',
    entityId: page.id,
    title: page.title,
    version: page.version,
  }),
  keepsItself: ({ mode }) => mode === 'edit',
  affectedBy: (event, { page }) =>
    event.type === 'entity' &&
    event.data.space_id === page.space_id &&
    (event.data.kind === 'page' || event.data.action !== 'update'),

  render(data, context) {
    if (data.mode === 'deleted') return renderDeleted(data, context)
    if (data.mode === 'history') return data.shown.renderHistory(data, context)
    return data.mode === 'edit' ? renderEditPage(data, context) : renderReadPage(data, context)
  },

  mount(root, data, context) {
    if (data.mode === 'history') data.shown.mountHistory(root, data, context)
    if (data.mode === 'edit') mountEditor(root, data, context)
    if (data.mode === 'read') mountReadPage(root, data, context)
  },
})

/** Most pages are read: what it takes to edit one comes when it is edited. */
async function mountEditor(root: HTMLElement, page: LivePage, context: ViewContext): Promise<void> {
  const { mountEditPage } = await import('../page/mount-edit.ts')
  if (!context.signal.aborted) mountEditPage(root, page, context)
}

function renderDeleted({ page }: PageData, { app, now, refresh }: ViewContext): HTMLElement {
  const restore = async () => {
    try {
      await app.api.post(`/api/pages/${page.id}/restore`)
      await refresh()
    } catch (error) {
      app.toast(`“${page.title}” is still in the trash. ${messageOf(error)}`, { tone: 'problem' })
    }
  }
  return el(
    'section',
    { class: 'empty page-gone' },
    el('h1', {}, page.title),
    el(
      'p',
      {},
      'This page was put in the trash ',
      timeAgo(page.deleted_at ?? page.updated_at, now),
      ` by ${actorName(page.updated_by)}.`,
    ),
    el(
      'button',
      { class: 'button button-primary', type: 'button', onclick: restore },
      icon('restore'),
      'Restore it',
    ),
  )
}
