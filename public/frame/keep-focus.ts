// Sees to it that the focus is never nowhere. Where what had it is gone, was hidden or cannot be used any more, what
// has come to its place gets it: whoever works with keys or hears the page goes on from there.

/** The parts of the page that the focus stays within, if they are still there. */
const regions = ['dialog', '#view', '.nav', '#rail', '.bottom-bar']
const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"], [contenteditable="true"]'
const mostPlaces = 12

/** Where the focus was: the thing, and its place among those beside it. */
type Place = { element: HTMLElement; region: string | null; index: number }

/** Watches until the signal is aborted. Leaving a field on purpose is let be. */
export function keepFocus(signal: AbortSignal): void {
  const places: Place[] = []
  let waiting = false

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
    places.length = Math.min(places.length, mostPlaces)
  }

  // Whoever leaves a thing that could keep the focus, now and a moment later, means to.
  function forget({ target, relatedTarget }: FocusEvent): void {
    const couldStay = () => target instanceof HTMLElement && canTakeFocus(target)
    if (relatedTarget !== null || !couldStay()) return
    requestAnimationFrame(() => {
      if (couldStay() && document.activeElement === document.body) places.length = 0
    })
  }

  function lookSoon(): void {
    if (waiting || document.activeElement !== document.body || places.length === 0) return
    waiting = true
    // Whoever replaces nodes may give the focus on by itself, after what it waits for.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        waiting = false
        if (document.activeElement === document.body && places.length > 0) bringBack()
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
  if (canTakeFocus(element)) return element
  const again = element.id ? document.getElementById(element.id) : null
  if (again && canTakeFocus(again)) return again
  const stops = region ? stopsIn(document.querySelector(region)) : []
  return stops[Math.min(Math.max(0, index), stops.length - 1)] ?? null
}

const stopsIn = (region: Element | null): HTMLElement[] =>
  region ? [...region.querySelectorAll<HTMLElement>(focusable)].filter(canTakeFocus) : []

const canTakeFocus = (element: HTMLElement): boolean =>
  element.isConnected &&
  element.checkVisibility() &&
  !element.matches(':disabled') &&
  !element.closest('[inert]')
