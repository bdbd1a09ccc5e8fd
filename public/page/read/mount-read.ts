// Makes a page in read mode live: links to headings, links to pages that do not exist yet, keys.

import type { Page } from '../../../lib/contract/entities.ts'
import { maxTreeLevel } from '../../../lib/contract/limits.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { createPage } from '../../app/actions/create-page.ts'
import { messageOf } from '../../app/api/api.ts'
import { bufferKeys } from '../../app/buffer-keys.ts'
import { loadEditorModes, saveEditorModes } from '../../app/storage/editor-modes.ts'
import type { ViewContext } from '../../app/view.ts'
import { outwardUrl } from '../../ui/address.ts'
import { editTitle } from '../../ui/components/title-editor.ts'
import { el } from '../../ui/dom.ts'
import { missingTitle } from '../../ui/markdown/links.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { clickedText, type WriteAt } from '../data/clicked-text.ts'
import { missingPage } from '../data/missing-page.ts'
import { changePage, type LivePage, unsavedNames } from '../data/page-data.ts'
import { linkHeadings } from './link-headings.ts'

export function mountReadPage(root: HTMLElement, data: LivePage, context: ViewContext): void {
  const { app, space, signal, url } = context
  const { page } = data
  // Loaded with the page: what is typed right after F2 is for the field, and not shortcuts.
  const rename = () => startRename(root, data, context)
  root.querySelector('#rename')?.addEventListener('click', rename, { signal })
  const loadFile = () => import('./page-file.ts')
  const listen = (id: string, run: () => Promise<void>) =>
    root.querySelector(id)?.addEventListener('click', run, { signal })
  listen('#page-path', async () => (await loadFile()).editPath(data, context))
  listen('#page-encoding', async () => (await loadFile()).editEncoding(data, context))
  root.querySelector('#properties')?.addEventListener(
    'click',
    async ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>('[data-property]') : null
      const item = button && data.properties.items[Number(button.dataset.property)]
      if (item) (await import('./edit-property.ts')).editProperty(data, item, context)
    },
    { signal },
  )
  if (data.place.below_count > maxTreeLevel)
    void import('./more-children.ts').then((more) => more.addMoreChildren(root, data, context))
  linkHeadings(root, context)
  offerToCreate(root, data, context)
  if (root.querySelector('.prose input')) enableTasks(root, data, context)
  if (page.origin === 'agent') showChangedSources(root, data, context)
  if (unsavedNames(page.id).length > 0 && !url.searchParams.has('edit')) offerStored(root, data, context)

  const write = beginToWrite(root, data, context)
  data.toggleSource = () => {
    saveEditorModes({ source: !loadEditorModes().source })
    void write('view')
  }
  if (url.searchParams.has('edit')) void write('view')

  app.keys.add(
    [
      { key: 'e', label: 'Write', run: () => write('view') },
      { key: 'Enter', label: 'Write', run: () => write('view'), when: isNothingFocused },
      { key: 'Mod+/', label: 'Toggle Markdown source', run: () => data.toggleSource?.() },
      { key: 'F2', label: 'Rename', run: rename },
      { key: 'n', label: 'New child page', run: () => createPage(app, space!, page.id) },
      {
        key: 'm',
        label: 'Move',
        run: async () => (await import('../tree/move-page.ts')).movePage(app, space!, page),
      },
      { key: 'h', label: 'History', run: () => app.navigate(`${url.pathname}?history=1`) },
    ].map((binding) => ({ ...binding, group: 'This page' })),
    signal,
  )
}

/** With nothing in particular in hand, Enter begins to write. */
const isNothingFocused = (): boolean =>
  document.activeElement === null || document.activeElement.matches('body, .content')

/** Most pages are only read: the editor is loaded when somebody points at the text, or begins to write. */
function beginToWrite(
  root: HTMLElement,
  data: LivePage,
  context: ViewContext,
): (at: WriteAt) => Promise<void> {
  const { signal, url, app } = context
  const main = root.querySelector<HTMLElement>('.page-main')
  const load = () => Promise.all([import('../edit/mount-edit.ts'), import('../edit/editor/code-mirror.ts')])
  main?.addEventListener('pointerover', () => void load().catch(() => {}), { signal, once: true })
  main?.addEventListener('click', onClick, { signal })
  return write

  function onClick(event: MouseEvent): void {
    if (data.isBusy) return
    const isEmpty = event.target instanceof Element && event.target.closest('.page-empty')
    const prose = root.querySelector('.page-main > .prose')
    const node = isEmpty ? null : clickedText(event, prose)
    if (isEmpty) void write('view')
    else if (node) void write({ node, x: event.clientX, y: event.clientY })
  }

  async function write(at: WriteAt): Promise<void> {
    if (data.isBusy) return
    data.isBusy = true
    const typed = bufferKeys(signal)
    url.searchParams.set('edit', '1')
    history.replaceState(history.state, '', outwardUrl(url))
    try {
      const { startWriting } = await import('../edit/mount-edit.ts')
      if (!signal.aborted) await startWriting(root, data, context, { at, typed })
    } catch {
      typed()
      data.isBusy = false
      app.toast('Could not load the editor. Check the connection, then try again.', { tone: 'problem' })
    }
  }
}

/** Loaded only for a page with tasks in its text. */
async function enableTasks(root: HTMLElement, data: LivePage, context: ViewContext): Promise<void> {
  const { makeTasksTickable } = await import('./tick-tasks.ts')
  if (!context.signal.aborted) makeTasksTickable(root, data, context)
}

/** Loaded only when there is unsaved text, which is rare. */
async function offerStored(root: HTMLElement, data: LivePage, context: ViewContext): Promise<void> {
  const { offerUnsaved } = await import('../unsaved/offer-unsaved.ts')
  await offerUnsaved(root.querySelector('#page-notices')!, data, context)
}

/** Loaded for pages that an agent drafted: research may be among them. */
async function showChangedSources(
  root: HTMLElement,
  { page }: LivePage,
  context: ViewContext,
): Promise<void> {
  const { showStaleLine } = await import('./stale-line.ts')
  // Without it the page is whole.
  await showStaleLine(root.querySelector('#page-notices')!, page, context).catch(() => undefined)
}

/** Edits the title of the page in place and saves it; the toast can undo that. */
function startRename(root: HTMLElement, data: LivePage, context: ViewContext): void {
  const { page } = data
  const { app, signal, refresh } = context
  const button = root.querySelector<HTMLButtonElement>('#rename')
  const onEnd = (title: string | null) => {
    data.isBusy = false
    if (title !== null) void rename(title)
    else if (!signal.aborted) refresh().catch(() => {})
  }
  data.isBusy = true
  const { label, box } = aliasChoice(data)
  if (label) root.querySelector('.page-title-row')?.after(label)
  editTitle(button, { title: page.title, name: 'page-title-field', choice: label, onEnd, signal })

  async function rename(title: string): Promise<void> {
    try {
      const renamed = await changePage(app, page, { title, ...(box.checked ? { keep_alias: true } : {}) })
      app.toast(`Renamed to ${quoteShown(renamed.title)}.`, {
        action: { label: 'Undo', run: () => undo(renamed) },
      })
      await refresh()
    } catch (error) {
      if (button) button.textContent = page.title
      app.toast(`Could not rename the page to ${quoteShown(title)}. ${messageOf(error)}`, { tone: 'problem' })
    }
  }

  async function undo(renamed: Page): Promise<void> {
    try {
      const { title, body } = page
      await changePage(app, renamed, { title, ...(box.checked ? { body } : {}) })
      await refresh()
    } catch (error) {
      app.toast(`Could not undo the rename. ${messageOf(error)}`, { tone: 'problem' })
    }
  }
}

/** What becomes of the links to a page, and whether its old name stays; no label where nothing links to it. */
function aliasChoice({ page, links: { backlinks } }: LivePage) {
  const box = el('input', { type: 'checkbox', id: 'keep-alias' })
  const what =
    backlinks.length === 1
      ? '1 item links here. Its link will be updated.'
      : `${backlinks.length} items link here. Their links will be updated.`
  const label =
    backlinks.length === 0
      ? null
      : el('label', { class: 'page-alias' }, what, box, `Keep ${quoteShown(page.title)} as an alias`)
  return { label, box }
}

/** Replaces each link to a missing page with a button that creates the page. */
function offerToCreate(root: HTMLElement, { page }: LivePage, { app, space }: ViewContext): void {
  for (const missing of root.querySelectorAll<HTMLElement>('.prose .wikilink-missing')) {
    const title = missing.title.startsWith(missingTitle) ? missing.title.slice(missingTitle.length) : ''
    const form = missing.dataset.form === 'path' ? 'path' : 'wiki'
    const fields = missingPage({ form, target: title }, page)
    if (!fields || missing.closest('a')) continue
    const name = fields.path ?? title
    const button = el(
      'button',
      {
        class: 'wikilink-missing',
        type: 'button',
        title: `Not found: ${quoteShown(name)}. Create it`,
        onclick: async () => {
          button.disabled = true
          try {
            const made = await app.api.post<{ id: string }>(`/api/spaces/${space!.id}/pages`, {
              ...fields,
              body: '',
            })
            await app.navigate(`${entityHref(space!.slug, 'page', made.id)}?edit=1`)
          } catch (error) {
            button.disabled = false
            app.toast(`Could not create ${quoteShown(title)}. ${messageOf(error)}`, { tone: 'problem' })
          }
        },
      },
      // No words of its own: what is read, copied and cited here is the text.
      ...missing.childNodes,
    )
    missing.replaceWith(button)
  }
}
