// What makes a read page alive: headings to jump to, links to pages that are not there yet, keys.

import { entityHref } from '../addresses.ts'
import { messageOf } from '../api.ts'
import { el } from '../dom.ts'
import { createPage } from '../frame/tree.ts'
import { missingTitle } from '../markdown.ts'
import type { ViewContext } from '../view.ts'
import { movePage } from './page-actions.ts'
import type { LivePage } from './page-data.ts'
import { startRename } from './rename.ts'
import { hasUnsaved } from './unsaved.ts'

export function mountReadPage(root: HTMLElement, data: LivePage, context: ViewContext): void {
  const { app, space, signal, url } = context
  const { page } = data
  root.querySelector('#rename')?.addEventListener('click', () => startRename(root, page, context), { signal })
  linkHeadings(root, context)
  offerMissing(root, data, context)
  if (hasUnsaved(page.id)) offerKept(root, data, context)

  app.keys.add(
    [
      { key: 'e', label: 'Edit', run: () => app.navigate(`${url.pathname}?edit=1`) },
      { key: 'F2', label: 'Rename', run: () => startRename(root, page, context) },
      { key: 'n', label: 'New page below', run: () => createPage(app, space!, page.id) },
      { key: 'm', label: 'Move', run: () => movePage(app, space!, page) },
      { key: 'h', label: 'History', run: () => app.navigate(`${url.pathname}?history=1`) },
    ].map((binding) => ({ ...binding, group: 'This page' })),
    signal,
  )
}

/** Seldom anything is kept on the device, so what offers it comes only then. */
async function offerKept(root: HTMLElement, data: LivePage, context: ViewContext): Promise<void> {
  const { offerUnsaved } = await import('./offer-unsaved.ts')
  await offerUnsaved(root.querySelector('#page-notices')!, data, context)
}

const headingSelector = ':is(h1, h2, h3, h4, h5, h6)'

/** Links to a heading go there without asking for the page again; the one in sight is marked in the outline. */
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
        findHeading(headings, link.hash) ??
        findBlock(root, link.hash)
      if (!place) return
      event.preventDefault()
      if (location.hash !== link.hash) history.pushState(history.state, '', link.hash)
      goTo(place)
    },
    { signal },
  )
  const wanted = url.hash ? (findBlock(root, url.hash) ?? findHeading(headings, url.hash)) : null
  // After the router has given the focus to the column.
  if (wanted && typeof history.state?.scroll !== 'number') queueMicrotask(() => goTo(wanted))
  markInSight(root, headings, signal)
}

function goTo(place: HTMLElement): void {
  place.tabIndex = -1
  place.focus({ preventScroll: true })
  place.scrollIntoView({ block: 'start', behavior: 'instant' })
}

function findHeading(headings: HTMLElement[], hash: string): HTMLElement | null {
  const wanted = plain(safeDecode(hash.slice(1)))
  return headings.find((heading) => plain(heading.textContent ?? '') === wanted) ?? null
}

/** The block that bears the name in `#^name`; one whose name stands below it is the block before. */
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

function markInSight(root: HTMLElement, headings: HTMLElement[], signal: AbortSignal): void {
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

/** A link to nothing is a button that makes the page it names. */
function offerMissing(root: HTMLElement, { page }: LivePage, { app, space }: ViewContext): void {
  for (const missing of root.querySelectorAll<HTMLElement>('.prose .wikilink-missing')) {
    const title = missing.title.startsWith(missingTitle) ? missing.title.slice(missingTitle.length) : ''
    // A path names a file that was not imported; a page of that name would not be it.
    if (title === '' || missing.closest('a')) continue
    const button = el(
      'button',
      {
        class: 'wikilink-missing',
        type: 'button',
        title: `There is no page called ${title} yet. Create this page`,
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
            app.toast(`“${title}” was not created. ${messageOf(error)}`, { tone: 'problem' })
          }
        },
      },
      ...missing.childNodes,
      el('span', { class: 'visually-hidden' }, ' (create this page)'),
    )
    missing.replaceWith(button)
  }
}
