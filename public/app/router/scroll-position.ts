// The scroll position of each entry of the browser's history.

/** Stores where the content is scrolled to with the current entry. */
export function storeScroll(scroller: Element): void {
  history.replaceState({ ...history.state, scroll: scroller.scrollTop }, '')
}

/** Scrolls to the stored position; to the top for a new entry. */
export function restoreScroll(scroller: Element, url: URL): void {
  if (url.searchParams.has('cite')) return
  const { scroll } = history.state ?? {}
  // The view itself scrolls to the heading that a new address names.
  if (url.hash && typeof scroll !== 'number') return
  scroller.scrollTo({ top: typeof scroll === 'number' ? scroll : 0, behavior: 'instant' })
}
