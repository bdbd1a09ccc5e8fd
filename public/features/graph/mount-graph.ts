import type { Graph } from '../../../lib/contract/space/graph.ts'
import type { ViewContext } from '../../app/view.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { Drawing } from './drawing.ts'
import { degreesOf } from './graph-data.ts'
import { createLayout } from './layout.ts'

type Shown = Pick<Graph, 'pages' | 'links'> & { around: string | null }

/** Milliseconds of a frame that the layout may take. */
const budgetMs = 7

/** Draws the graph and lets it be moved; a page in the list and its node are shown together. */
export function mountGraph(root: HTMLElement, shown: Shown, context: ViewContext): void {
  const canvas = root.querySelector('canvas')
  const list = root.querySelector<HTMLElement>('#graph-list')
  if (!canvas || !list) return
  const { signal, app, space } = context
  const layout = createLayout(shown.pages.length, shown.links)
  const current = shown.pages.findIndex(({ id }) => id === shown.around)
  const drawing = new Drawing(
    { canvas, ink: root.querySelector('.graph-ink')! },
    {
      layout,
      links: shown.links,
      titles: shown.pages.map(({ title }) => title),
      degrees: degreesOf(shown),
      current,
    },
  )
  animate(layout, drawing, signal)

  const observer = new ResizeObserver(() => drawing.resize())
  observer.observe(canvas)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', () => drawing.recolor(), { signal })
  const theme = new MutationObserver(() => drawing.recolor())
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  signal.addEventListener('abort', () => {
    observer.disconnect()
    theme.disconnect()
  })

  const open = (node: number) => {
    const page = shown.pages[node]
    const href = page && entityHref(space!.slug, 'page', page.id)
    if (href) app.navigate(href)
  }
  addPointer(canvas, drawing, open, signal)
  root.querySelector('#graph-in')?.addEventListener('click', () => drawing.zoom(1.4), { signal })
  root.querySelector('#graph-out')?.addEventListener('click', () => drawing.zoom(1 / 1.4), { signal })
  addList(root, list, drawing, signal)
}

/** One or more steps a frame until all rest; without motion the drawing appears as it comes to rest. */
function animate(layout: ReturnType<typeof createLayout>, drawing: Drawing, signal: AbortSignal): void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const frame = () => {
    if (signal.aborted) return
    const end = performance.now() + (isStill ? 4 * budgetMs : budgetMs)
    let isMoving = layout.step()
    while (isMoving && performance.now() < end) isMoving = layout.step()
    if (!isStill || !isMoving) drawing.show()
    if (isMoving) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

function addPointer(
  canvas: HTMLCanvasElement,
  drawing: Drawing,
  open: (node: number) => void,
  signal: AbortSignal,
): void {
  let from: { x: number; y: number } | null = null
  let isDrag = false
  canvas.addEventListener(
    'pointerdown',
    (event) => {
      from = { x: event.clientX, y: event.clientY }
      isDrag = false
      canvas.setPointerCapture(event.pointerId)
    },
    { signal },
  )
  canvas.addEventListener(
    'pointermove',
    (event) => {
      if (!from) {
        const node = drawing.nodeAt(event.offsetX, event.offsetY)
        drawing.mark(node)
        canvas.toggleAttribute('data-over', node !== null)
        return
      }
      const [x, y] = [event.clientX - from.x, event.clientY - from.y]
      if (!isDrag && Math.hypot(x, y) < 4) return
      isDrag = true
      canvas.toggleAttribute('data-dragging', true)
      drawing.move(x, y)
      from = { x: event.clientX, y: event.clientY }
    },
    { signal },
  )
  canvas.addEventListener(
    'pointerup',
    (event) => {
      from = null
      canvas.removeAttribute('data-dragging')
      const node = drawing.nodeAt(event.offsetX, event.offsetY)
      if (!isDrag && node !== null) open(node)
    },
    { signal },
  )
  canvas.addEventListener('pointerleave', () => drawing.mark(null), { signal })
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      drawing.zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY)
    },
    { signal, passive: false },
  )
}

function addList(root: HTMLElement, list: HTMLElement, drawing: Drawing, signal: AbortSignal): void {
  const nodeOf = ({ target }: Event) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-node]') : null
    return row ? Number(row.dataset.node) : null
  }
  list.addEventListener('focusin', (event) => drawing.mark(nodeOf(event), { brings: true }), { signal })
  list.addEventListener('focusout', () => drawing.mark(null), { signal })
  list.addEventListener('pointerover', (event) => drawing.mark(nodeOf(event)), { signal })
  list.addEventListener('pointerleave', () => drawing.mark(null), { signal })

  const field = root.querySelector<HTMLInputElement>('#graph-find')
  const rows = [...list.children].filter((row) => row instanceof HTMLElement)
  const texts = rows.map((row) => row.textContent.toLowerCase())
  const first = rows.filter((row) => !row.hidden).length
  field?.addEventListener(
    'input',
    () => {
      const words = field.value.trim().toLowerCase()
      let left = first
      for (const [index, row] of rows.entries()) {
        row.hidden = left === 0 || !texts[index]!.includes(words)
        if (!row.hidden) left -= 1
      }
    },
    { signal },
  )
}
