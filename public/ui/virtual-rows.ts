// A long list of rows of one height, of which those in sight are in the document. What scrolls may be any element around it.

import { el } from './dom.ts'

export type VirtualRows = {
  /** Draws all rows in sight again. */
  draw(): void
  /** Brings a row into sight, and draws it. */
  show(index: number): void
}

type Options = {
  /** Has no other children; its rows are placed in it. */
  list: HTMLElement
  count: () => number
  /** Stays the same for the same row. */
  keyOf: (index: number) => string
  /** The row of a key; -1: unknown. What has the focus or is dragged stays in the document, also where it was last. */
  indexOf: (key: string) => number
  render: (index: number) => HTMLElement
  /** The rows in sight, after each change. */
  onSight: (first: number, end: number) => void
  signal: AbortSignal
}

/** Rows above and below those in sight. */
const overscan = 12

/** Rows while nothing is laid out. */
const defaultRows = 40

export function createVirtualRows({ list, signal, ...rows }: Options): VirtualRows {
  const nodes = new Map<string, { node: HTMLElement; index: number }>()
  let isDue = false
  let dragged: string | null = null
  let rowHeight = 0
  const measureAgain = () => {
    rowHeight = 0
    later()
  }

  const later = () => {
    if (isDue) return
    isDue = true
    requestAnimationFrame(() => {
      isDue = false
      if (!signal.aborted) update()
    })
  }
  const onScroll = ({ target }: Event) => {
    if (target instanceof Node && target.contains(list)) update()
  }
  document.addEventListener('scroll', onScroll, { capture: true, passive: true, signal })
  list.addEventListener('dragstart', ({ target }) => drag(keyAt(target)), { signal })
  document.addEventListener('dragend', () => drag(null), { signal })
  const observer = new ResizeObserver(later)
  observer.observe(list)
  addEventListener('resize', measureAgain, { signal })
  signal.addEventListener('abort', () => observer.disconnect())

  return {
    draw() {
      const focused = list.contains(document.activeElement) ? document.activeElement : null
      const key = keyAt(focused)
      const kept = key !== null && rows.indexOf(key) === -1 ? nodes.get(key) : null
      nodes.clear()
      if (kept) nodes.set(key!, kept)
      update(key)
      if (!focused?.id || list.contains(document.activeElement)) return
      list.querySelector<HTMLElement>(`#${CSS.escape(focused.id)}`)?.focus({ preventScroll: true })
    },
    show(index) {
      // Something has to be there to scroll to.
      const node = place(el('div', { class: 'virtual-mark' }), index)
      node.style.setProperty('block-size', `${rowHeight}px`)
      list.append(node)
      node.scrollIntoView({ block: 'nearest' })
      node.remove()
      update()
    },
  }

  function drag(key: string | null): void {
    dragged = key
  }

  function keyAt(target: EventTarget | null): string | null {
    for (const [key, { node }] of nodes) if (target instanceof Node && node.contains(target)) return key
    return null
  }

  function place(node: HTMLElement, index: number): HTMLElement {
    node.style.setProperty('inset-block-start', `${index * rowHeight}px`)
    return node
  }

  function update(focused: string | null = keyAt(document.activeElement)): void {
    const count = rows.count()
    if (rowHeight === 0) measure(count)
    list.style.setProperty('block-size', `${count * rowHeight}px`)
    const { first, end } = inSight(count)
    const shown = new Map<number, string>()
    for (let index = Math.max(0, first - overscan); index < Math.min(count, end + overscan); index += 1)
      shown.set(index, rows.keyOf(index))
    for (const key of [focused, dragged]) {
      if (key === null) continue
      const index = rows.indexOf(key)
      const lastIndex = nodes.get(key)?.index ?? -1
      if (index !== -1) shown.set(index, key)
      else if (lastIndex !== -1 && lastIndex < count) shown.set(lastIndex, key)
    }
    put([...shown].sort(([a], [b]) => a - b))
    rows.onSight(first, end)
  }

  /** Rows that stay keep their nodes and with them the focus. */
  function put(shown: readonly (readonly [number, string])[]): void {
    const keys = new Set(shown.map(([, key]) => key))
    for (const key of nodes.keys()) if (!keys.has(key)) nodes.delete(key)
    const known = new Set<Element>([...nodes.values()].map(({ node }) => node))
    for (const child of [...list.children]) if (!known.has(child)) child.remove()
    let next: Element | null = list.firstElementChild
    for (const [index, key] of shown) {
      const node = nodes.get(key)?.node ?? rows.render(index)
      nodes.set(key, { node, index })
      place(node, index)
      if (node === next) next = next.nextElementSibling
      else list.insertBefore(node, next)
    }
  }

  function measure(count: number): void {
    list.toggleAttribute('data-virtual', true)
    if (count === 0) return
    const node = rows.render(0)
    list.append(node)
    rowHeight = node.getBoundingClientRect().height || rowHeight
    node.remove()
  }

  function inSight(count: number): { first: number; end: number } {
    const { top, height } = list.getBoundingClientRect()
    if (rowHeight === 0 || height === 0) return { first: 0, end: Math.min(count, defaultRows) }
    const first = Math.max(0, Math.min(count, Math.floor(-top / rowHeight)))
    const end = Math.max(first, Math.min(count, Math.ceil((innerHeight - top) / rowHeight)))
    return { first, end }
  }
}
