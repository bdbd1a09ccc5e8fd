// Makes a page in read mode live: links to headings, links to pages that do not exist yet, keys.

import type { Page } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { createPage } from '../../app/actions/create-page.ts'
import { messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { editTitle } from '../../ui/components/title-editor.ts'
import { el } from '../../ui/dom.ts'
import { missingTitle } from '../../ui/markdown/links.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { changePage, type LivePage, unsavedNames } from '../data/page-data.ts'

export function mountReadPage(root: HTMLElement, data: LivePage, context: ViewContext): void {
  const { app, space, signal, url } = context
  const { page } = data
  // Loaded with the page: what is typed right after F2 is for the field, and not shortcuts.
  const rename = () => startRename(root, data, context)
  root.querySelector('#rename')?.addEventListener('click', rename, { signal })
  root.querySelector('#properties')?.addEventListener(
    'click',
    async ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>('[data-property]') : null
      const item = button && data.properties.items[Number(button.dataset.property)]
      if (item) (await import('./edit-property.ts')).editProperty(data, item, context)
    },
    { signal },
  )
  linkHeadings(root, context)
  offerToCreate(root, data, context)
  if (root.querySelector('.prose input')) enableTasks(root, data, context)
  if (page.origin === 'agent') showChangedSources(root, data, context)
  if (unsavedNames(page.id).length > 0) offerStored(root, data, context)

  app.keys.add(
    [
      { key: 'e', label: 'Edit', run: () => app.navigate(`${url.pathname}?edit=1`) },
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

const headingSelector = ':is(h1, h2, h3, h4, h5, h6)'

/** Links to a heading scroll to it without loading the page again; the current one is marked in the outline. */
function linkHeadings(root: HTMLElement, { url, signal }: ViewContext): void {
  const headings = [...root.querySelectorAll<HTMLElement>(`.page-main > .prose > ${headingSelector}`)]
  root.addEventListener(
    'click',
    (event) => {
      const link =
        event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
      const place =
        headings[Number(link.dataset.heading)] ??
        findNamed(root, link.hash) ??
        findHeading(headings, link.hash) ??
        findBlock(root, link.hash)
      if (!place) return
      event.preventDefault()
      if (location.hash !== link.hash) history.pushState(history.state, '', link.hash)
      goTo(place)
    },
    { signal },
  )
  const target = url.hash
    ? (findBlock(root, url.hash) ?? findNamed(root, url.hash) ?? findHeading(headings, url.hash))
    : null
  // After the router has focused the column.
  if (target && typeof history.state?.scroll !== 'number') queueMicrotask(() => goTo(target))
  markCurrent(root, headings, signal)
}

function goTo(place: HTMLElement): void {
  if (!place.matches('a')) place.tabIndex = -1
  place.focus({ preventScroll: true })
  place.scrollIntoView({ block: 'start', behavior: 'instant' })
}

function findHeading(headings: HTMLElement[], hash: string): HTMLElement | null {
  const name = plain(safeDecode(hash.slice(1)))
  return headings.find((heading) => plain(heading.textContent ?? '') === name) ?? null
}

/** A footnote, its mark in the text, or what the text names itself. */
function findNamed(root: HTMLElement, hash: string): HTMLElement | null {
  const name = CSS.escape(safeDecode(hash.slice(1)))
  return root.querySelector<HTMLElement>(`.prose :is([id^="fn"][id="${name}"], [id="text-${name}"])`)
}

/** The block with the id in `#^name`; an id on a line of its own names the block before it. */
function findBlock(root: HTMLElement, hash: string): HTMLElement | null {
  const name = safeDecode(hash.slice(1))
  if (!name.startsWith('^')) return null
  const marks = [...root.querySelectorAll<HTMLElement>('.prose [data-block]')]
  const block = marks.find((mark) => mark.dataset.block === name.slice(1))?.parentElement
  const before = block?.previousElementSibling
  return block?.textContent === '' && before instanceof HTMLElement ? before : (block ?? null)
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function markCurrent(root: HTMLElement, headings: HTMLElement[], signal: AbortSignal): void {
  const links = [...root.querySelectorAll<HTMLElement>('.outline a')]
  const scroller = root.closest('.content')
  if (links.length === 0 || !scroller) return
  const mark = () => {
    const top = scroller.getBoundingClientRect().top + 96
    const at = headings.findLastIndex((heading) => heading.getBoundingClientRect().top <= top)
    links.forEach((link, index) => {
      if (index === Math.max(0, at)) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    })
  }
  scroller.addEventListener('scroll', mark, { signal, passive: true })
  mark()
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
    // A path names a file that was not imported, not a page.
    if (title === '' || missing.closest('a')) continue
    const button = el(
      'button',
      {
        class: 'wikilink-missing',
        type: 'button',
        title: `Page ${quoteShown(title)} does not exist. Create it`,
        onclick: async () => {
          button.disabled = true
          try {
            const made = await app.api.post<{ id: string }>(`/api/spaces/${space!.id}/pages`, {
              title,
              body: '',
              parent_id: page.parent_id,
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
