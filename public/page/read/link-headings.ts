// Links to the headings, blocks and footnotes of a page, and the heading that the outline marks.

import type { ViewContext } from '../../app/view.ts'

const headingSelector = ':is(h1, h2, h3, h4, h5, h6)'

/** Links to a heading scroll to it without loading the page again; the current one is marked in the outline. */
export function linkHeadings(root: HTMLElement, { url, signal }: ViewContext): void {
  const headings = [...root.querySelectorAll<HTMLElement>(`.page-main > .prose > ${headingSelector}`)]
  root.addEventListener(
    'click',
    (event) => {
      const link =
        event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href*="#"]') : null
      if (!link || !isOfThisPage(link) || event.ctrlKey || event.metaKey || event.shiftKey) return
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

/** True for a link into the page that is shown, also where it names it. */
const isOfThisPage = ({ protocol, host, pathname, search }: HTMLAnchorElement): boolean =>
  protocol === location.protocol &&
  host === location.host &&
  pathname === location.pathname &&
  search === location.search

function goTo(place: HTMLElement): void {
  if (!place.matches('a')) place.tabIndex = -1
  place.focus({ preventScroll: true })
  place.scrollIntoView({ block: 'start', behavior: 'instant' })
}

function findHeading(headings: HTMLElement[], hash: string): HTMLElement | null {
  // `A#B` is the B below A.
  let at = -1
  for (const name of safeDecode(hash.slice(1)).split('#').map(plain)) {
    const above = at
    at = headings.findIndex((heading, index) => index > above && plain(heading.textContent ?? '') === name)
    if (at === -1) return null
  }
  return headings[at] ?? null
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
  const ticks = root.querySelectorAll('.outline-ticks i')
  const scroller = root.closest('.content')
  if (links.length === 0 || !scroller) return
  const mark = () => {
    const top = scroller.getBoundingClientRect().top + 96
    const at = headings.findLastIndex((heading) => heading.getBoundingClientRect().top <= top)
    links.forEach((link, index) => {
      const isHere = index === Math.max(0, at)
      if (isHere) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
      ticks[index]?.toggleAttribute('data-now', isHere)
    })
  }
  scroller.addEventListener('scroll', mark, { signal, passive: true })
  mark()
}
