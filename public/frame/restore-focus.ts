// Moves the focus when the focused element is removed, hidden or disabled: to the element that is now in its place, so
// that keyboard and screen reader users continue from there.

/** The parts of the page that the focus stays within, if they are still there. */
const regions = ['dialog', '#view', '.nav', '#rail', '.bottom-bar']
const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"], [contenteditable="true"]'
const maxPlaces = 12

/** Where the focus was: the element, and its position among its neighbours. */
type Place = { element: HTMLElement; region: string | null; index: number }

/** Watches until the signal is aborted. Leaving a field on purpose is let be. */
export function restoreLostFocus(signal: AbortSignal): void {
  const places: Place[] = []
  let waiting = false
  /** Until it is known whether the focus was lost or moved away. */
  let leaving = false

  document.addEventListener('focusin', ({ target }) => remember(target), { signal })
  document.addEventListener('focusout', forget, { signal })
  const observer = new MutationObserver(lookSoon)
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['hidden', 'disabled', 'inert', 'open'],
  })
  signal.addEventListener('abort', () => observer.disconnect())

  function remember(target: EventTarget | null): void {
    if (!(target instanceof HTMLElement) || target === document.body) return
    const region = regions.find((selector) => target.closest(selector)) ?? null
    const index = region ? stopsIn(target.closest(region)).indexOf(target) : -1
    places.unshift({ element: target, region, index })
    places.length = Math.min(places.length, maxPlaces)
  }

  // The old element can still take the focus, now and a moment later: the owner moved the focus away.
  function forget({ target, relatedTarget }: FocusEvent): void {
    const couldStay = () => target instanceof HTMLElement && canFocus(target)
    if (relatedTarget !== null || !couldStay()) return
    leaving = true
    requestAnimationFrame(() => {
      leaving = false
      if (couldStay() && document.activeElement === document.body) places.length = 0
      else lookSoon()
    })
  }

  function lookSoon(): void {
    if (waiting || places.length === 0) return
    waiting = true
    // Code that replaces nodes may set the focus itself, after a request. To look at once would lay out the page for each change.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        waiting = false
        if (!leaving && isLost() && places.length > 0) bringBack()
      }),
    )
  }

  function bringBack(): void {
    for (const place of places) {
      const next = successorOf(place)
      if (!next) continue
      next.focus({ preventScroll: true })
      if (document.activeElement === next) return
    }
    document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true })
  }
}

function successorOf({ element, region, index }: Place): HTMLElement | null {
  if (canFocus(element)) return element
  const again = element.id ? document.getElementById(element.id) : null
  if (again && canFocus(again)) return again
  const stops = region ? stopsIn(document.querySelector(region)) : []
  const at = Math.max(0, index)
  return stops.slice(at).find(canFocus) ?? stops.slice(0, at).findLast(canFocus) ?? null
}

/** What was just hidden or disabled keeps the focus until the browser draws. */
const isLost = () =>
  document.activeElement === document.body ||
  (document.activeElement instanceof HTMLElement && !canFocus(document.activeElement))

/** Those that are hidden too: whether each of a long list can be seen takes seconds to find out. */
const stopsIn = (region: Element | null): HTMLElement[] =>
  region ? [...region.querySelectorAll<HTMLElement>(focusable)] : []

const canFocus = (element: HTMLElement): boolean =>
  element.isConnected &&
  element.checkVisibility() &&
  !element.matches(':disabled') &&
  !element.closest('[inert]')
