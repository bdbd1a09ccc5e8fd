// A canvas to look at: it scrolls, is dragged by an empty place, and zooms around its middle or the pointer.

import { readCanvas } from '../../../lib/core/text/canvas.ts'
import { el } from '../../ui/dom.ts'
import { type CanvasPlace, type DrawnCanvas, drawCanvas } from './draw-canvas.ts'

/** Cards that are smaller cannot be read, and hold nothing. */
const minFilled = 0.2

/** A canvas that is first shown is no smaller, so that it can be read; the rest is scrolled to. */
const minFirst = 0.4
const [minScale, maxScale] = [0.05, 2]

/** Draws the canvas of a file into `root`. Where it cannot be loaded or read, the place says so. */
export async function mountCanvas(
  root: HTMLElement,
  address: string,
  place: CanvasPlace & Loader,
): Promise<void> {
  const response = await place.api.fetch(address, { signal: place.signal }).catch(() => null)
  const canvas = response && readCanvas(await response.text())
  if (place.signal.aborted) return
  if (!canvas) {
    root.replaceChildren(el('p', { class: 'dim' }, 'The canvas could not be drawn. Its text is below.'))
    return
  }
  if (canvas.cards.length === 0) {
    root.replaceChildren(el('p', { class: 'dim' }, 'An empty canvas.'))
    return
  }
  show(root, drawCanvas(canvas, place), place.signal)
}

type Loader = { api: { fetch(path: string, init: RequestInit): Promise<Response> } }

function show(root: HTMLElement, drawn: DrawnCanvas, signal: AbortSignal): void {
  const { layer, board } = drawn
  const sizer = el('div', { class: 'canvas-sizer' }, layer)
  const scroller = el(
    'div',
    { class: 'canvas-scroller', tabindex: 0, role: 'region', 'aria-label': 'Canvas' },
    sizer,
  )
  const zoomer = createZoomer(scroller, { sizer, layer, board })
  root.replaceChildren(
    scroller,
    el(
      'div',
      { class: 'canvas-zoom', role: 'group', 'aria-label': 'Zoom' },
      zoomButton('Zoom out', '−', () => zoomer.zoom(1 / 1.3)),
      zoomButton('Zoom in', '+', () => zoomer.zoom(1.3)),
      zoomButton('Fit the canvas', 'Fit', () => zoomer.fit()),
    ),
  )
  if (drawn.isCut) root.append(el('p', { class: 'dim' }, 'A large canvas: only its first cards are drawn.'))
  zoomer.fit(minFirst)
  fillInView(scroller, drawn, zoomer, signal)
  addPointer(scroller, zoomer, signal)
}

const zoomButton = (label: string, sign: string, onclick: () => void) =>
  el('button', { class: 'icon-button', type: 'button', title: label, 'aria-label': label, onclick }, sign)

type Zoomer = {
  readonly scale: number
  /** Around a point of the scroller; default: its middle. */
  zoom(factor: number, at?: { x: number; y: number }): void
  /** All of it, no larger than it is and no smaller than `least`. */
  fit(least?: number): void
  onChange: (() => void) | null
}

type Parts = { sizer: HTMLElement; layer: HTMLElement; board: DrawnCanvas['board'] }

function createZoomer(scroller: HTMLElement, { sizer, layer, board }: Parts): Zoomer {
  const zoomer: Zoomer & { scale: number } = {
    scale: 1,
    onChange: null,
    zoom(factor, at = { x: scroller.clientWidth / 2, y: scroller.clientHeight / 2 }) {
      const before = zoomer.scale
      apply(before * factor)
      const ratio = zoomer.scale / before
      scroller.scrollLeft = (scroller.scrollLeft + at.x) * ratio - at.x
      scroller.scrollTop = (scroller.scrollTop + at.y) * ratio - at.y
    },
    fit(least = minScale) {
      const [across, down] = [scroller.clientWidth / board.width, scroller.clientHeight / board.height]
      apply(Math.max(least, Math.min(1, across, down)))
    },
  }
  return zoomer

  function apply(scale: number): void {
    zoomer.scale = Math.max(minScale, Math.min(maxScale, scale))
    layer.style.setProperty('transform', `scale(${zoomer.scale})`)
    layer.style.setProperty('width', `${board.width}px`)
    layer.style.setProperty('height', `${board.height}px`)
    sizer.style.setProperty('width', `${board.width * zoomer.scale}px`)
    sizer.style.setProperty('height', `${board.height * zoomer.scale}px`)
    zoomer.onChange?.()
  }
}

function fillInView(scroller: HTMLElement, drawn: DrawnCanvas, zoomer: Zoomer, signal: AbortSignal): void {
  const inView = new Set<Element>()
  const fill = () => {
    if (zoomer.scale < minFilled) return
    for (const card of inView) drawn.fill(card)
    inView.clear()
  }
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) inView.add(target)
        else inView.delete(target)
      }
      fill()
    },
    { root: scroller, rootMargin: '300px' },
  )
  for (const card of drawn.layer.querySelectorAll('.canvas-card')) observer.observe(card)
  zoomer.onChange = fill
  signal.addEventListener('abort', () => observer.disconnect())
}

function addPointer(scroller: HTMLElement, zoomer: Zoomer, signal: AbortSignal): void {
  let from: { x: number; y: number } | null = null
  scroller.addEventListener(
    'pointerdown',
    (event) => {
      const onCard = event.target instanceof Element && event.target.closest('.canvas-card')
      if (event.button !== 0 || event.pointerType === 'touch' || onCard) return
      from = { x: event.clientX + scroller.scrollLeft, y: event.clientY + scroller.scrollTop }
      scroller.setPointerCapture(event.pointerId)
      scroller.toggleAttribute('data-dragging', true)
    },
    { signal },
  )
  scroller.addEventListener(
    'pointermove',
    (event) => {
      if (from)
        scroller.scrollTo({ left: from.x - event.clientX, top: from.y - event.clientY, behavior: 'instant' })
    },
    { signal },
  )
  const end = () => {
    from = null
    scroller.removeAttribute('data-dragging')
  }
  scroller.addEventListener('pointerup', end, { signal })
  scroller.addEventListener('pointercancel', end, { signal })
  scroller.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      const { left, top } = scroller.getBoundingClientRect()
      zoomer.zoom(Math.exp(-event.deltaY / 400), { x: event.clientX - left, y: event.clientY - top })
    },
    { signal, passive: false },
  )
}
