// Brought into the page before its own scripts: notes when things happen there. Read by the browser measurements.

type Key = { at: number; shownAfter: number[] }

declare global {
  var probe: {
    /** When the app took over, in milliseconds from the navigation. */
    ready: number | null
    /** Characters typed, and after how many milliseconds the list below had been drawn anew, each time. */
    keys: Key[]
    /** What each character typed into the editor cost, in milliseconds, its layout included. */
    typed: number[]
    /** The scroller of the editor, and a line in sight. */
    editor(): { scroller: Element; line: Element | null }
    firstPaint(): number
    /** Bytes of a kind of file as they came over the wire. */
    bytes(extension: string): number
  }
}

globalThis.probe = {
  ready: null,
  keys: [],
  typed: [],
  editor() {
    const root = document.querySelector('.editor-host')!.shadowRoot!
    return { scroller: root.querySelector('.cm-scroller')!, line: root.querySelector('.cm-line') }
  },
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

// Not the key press itself, which comes to the page as a task of its own: what lies between the two is not its work.
let beganAt = 0
addEventListener(
  'beforeinput',
  () => {
    beganAt = performance.now()
  },
  { capture: true },
)

// The editor reads what was typed when the browser has put it there; the layout of that is asked for here.
addEventListener('input', ({ target }) => {
  if (!(target instanceof Element) || !target.matches('.editor-host')) return
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    probe.editor().line?.getBoundingClientRect()
    probe.typed.push(performance.now() - beganAt)
  }
  port2.postMessage(null)
})

// After the next frame has begun, what was put into the list is on its way to the screen.
new MutationObserver((mutations) => {
  const key = probe.keys.at(-1)
  const listed = mutations.some(({ target }) => target instanceof Element && target.matches('[role=listbox]'))
  if (key && listed) requestAnimationFrame(() => key.shownAfter.push(performance.now() - key.at))
}).observe(document, { childList: true, subtree: true })
