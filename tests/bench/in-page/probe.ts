// Brought into the page before its own scripts: notes when things happen there. Read by the browser measurements.

type Key = { at: number; shownAfter: number[] }

declare global {
  var probe: {
    /** When the app took over, in milliseconds from the navigation. */
    ready: number | null
    /** Characters typed, and after how many milliseconds the list below had been drawn anew, each time. */
    keys: Key[]
    firstPaint(): number
    /** Bytes of a kind of file as they came over the wire. */
    bytes(extension: string): number
  }
}

globalThis.probe = {
  ready: null,
  keys: [],
  firstPaint: () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  bytes: (extension) =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith(extension))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
}

new MutationObserver(() => {
  if (document.documentElement?.dataset.ready !== undefined) probe.ready ??= performance.now()
}).observe(document, { attributes: true, attributeFilter: ['data-ready'], subtree: true })

addEventListener(
  'input',
  ({ timeStamp, target }) => {
    if (target instanceof Element && target.closest('dialog'))
      probe.keys.push({ at: timeStamp, shownAfter: [] })
  },
  { capture: true },
)

// After the next frame has begun, what was put into the list is on its way to the screen.
new MutationObserver((mutations) => {
  const key = probe.keys.at(-1)
  const listed = mutations.some(({ target }) => target instanceof Element && target.matches('[role=listbox]'))
  if (key && listed) requestAnimationFrame(() => key.shownAfter.push(performance.now() - key.at))
}).observe(document, { childList: true, subtree: true })
