// The drawing of a graph: where it is looked at from, and how nodes, links and titles are drawn.

import type { Layout } from './layout.ts'

type Link = readonly [number, number]

type Content = {
  layout: Pick<Layout, 'x' | 'y'>
  links: readonly Link[]
  titles: readonly string[]
  degrees: readonly number[]
  /** The node in the middle of a local graph; -1: none. */
  current: number
}

/** Titles that are drawn at once, those of the most linked nodes in view. */
const maxTitles = 40

/** Of a title, in characters. */
const maxTitle = 32

/** While a large graph moves so many of its links are drawn, and no titles; the rest follows once it is still. */
const maxMovingLinks = 2500
const stillMs = 150

export class Drawing {
  readonly #canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D
  readonly #ink: Element
  readonly #content: Content
  readonly #byDegree: readonly number[]
  #colors: Colors
  /** The middle of what is seen, and pixels for each unit. `isFree`: the owner has moved it. */
  readonly #eye = { x: 0, y: 0, scale: 1, isFree: false }
  readonly #size = { width: 1, height: 1 }
  #marked: number | null = null
  #isDue = false
  #still: ReturnType<typeof setTimeout> | undefined

  /** `ink` holds an element of each colour. */
  constructor({ canvas, ink }: { canvas: HTMLCanvasElement; ink: Element }, content: Content) {
    this.#canvas = canvas
    this.#context = canvas.getContext('2d')!
    this.#ink = ink
    this.#content = content
    this.#colors = readColors(ink)
    const { degrees } = content
    this.#byDegree = degrees.map((_, node) => node).sort((a, b) => degrees[b]! - degrees[a]!)
    this.resize()
  }

  /** Draws all of it within the canvas, until it was moved or zoomed. */
  show(): void {
    if (!this.#eye.isFree && this.#content.titles.length > 0) this.#lookAtAll()
    this.#drawMoving()
  }

  resize(): void {
    const { width, height } = this.#canvas.getBoundingClientRect()
    const ratio = Math.min(2, devicePixelRatio)
    Object.assign(this.#size, { width, height })
    this.#canvas.width = Math.max(1, Math.round(width * ratio))
    this.#canvas.height = Math.max(1, Math.round(height * ratio))
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0)
    this.show()
  }

  /** In the colours of the theme as it is now. */
  recolor(): void {
    this.#colors = readColors(this.#ink)
    this.#draw()
  }

  move(dx: number, dy: number): void {
    const eye = this.#eye
    eye.isFree = true
    eye.x -= dx / eye.scale
    eye.y -= dy / eye.scale
    this.#drawMoving()
  }

  /** Around a point of the canvas; default: its middle. */
  zoom(factor: number, x = this.#size.width / 2, y = this.#size.height / 2): void {
    const eye = this.#eye
    const scale = Math.min(4, Math.max(0.02, eye.scale * factor))
    const [dx, dy] = [x - this.#size.width / 2, y - this.#size.height / 2]
    eye.x += dx / eye.scale - dx / scale
    eye.y += dy / eye.scale - dy / scale
    eye.scale = scale
    eye.isFree = true
    this.#drawMoving()
  }

  nodeAt(x: number, y: number): number | null {
    let nearest: number | null = null
    let distance = 12 ** 2
    for (let node = 0; node < this.#content.titles.length; node += 1) {
      const square = (this.#left(node) - x) ** 2 + (this.#top(node) - y) ** 2
      if (square < distance) [nearest, distance] = [node, square]
    }
    return nearest
  }

  /** Marks a node and its neighbours; with `brings`, the node is brought into view. */
  mark(node: number | null, { brings = false } = {}): void {
    if (node === this.#marked && !brings) return
    this.#marked = node
    if (brings && node !== null && !this.#isInView(node, -40)) {
      const { x, y } = this.#content.layout
      Object.assign(this.#eye, { x: x[node], y: y[node], isFree: true })
    }
    this.#draw()
  }

  #left(node: number): number {
    return (this.#content.layout.x[node]! - this.#eye.x) * this.#eye.scale + this.#size.width / 2
  }

  #top(node: number): number {
    return (this.#content.layout.y[node]! - this.#eye.y) * this.#eye.scale + this.#size.height / 2
  }

  #isInView(node: number, margin = 20): boolean {
    const [left, top] = [this.#left(node), this.#top(node)]
    const { width, height } = this.#size
    return left > -margin && left < width + margin && top > -margin && top < height + margin
  }

  #radius(node: number): number {
    const radius = 2.5 + Math.min(7, Math.sqrt(this.#content.degrees[node]!))
    return Math.max(1, radius * Math.min(1.4, Math.max(0.5, this.#eye.scale)))
  }

  #lookAtAll(): void {
    const { x, y } = this.#content.layout
    const box = boundsOf(x, y)
    const room = 48
    const across = (this.#size.width - room) / Math.max(1, box.right - box.left)
    const down = (this.#size.height - room) / Math.max(1, box.bottom - box.top)
    const scale = Math.max(0.02, Math.min(1.6, across, down))
    Object.assign(this.#eye, { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2, scale })
  }

  /** Draws less of a large graph now, and all of it once it is still. */
  #drawMoving(): void {
    const { links } = this.#content
    if (links.length <= maxMovingLinks) {
      this.#draw()
      return
    }
    clearTimeout(this.#still)
    this.#still = setTimeout(() => {
      this.#still = undefined
      this.#draw()
    }, stillMs)
    this.#draw()
  }

  #draw(): void {
    if (this.#isDue) return
    this.#isDue = true
    requestAnimationFrame(() => {
      this.#isDue = false
      this.#drawNow(this.#still !== undefined)
    })
  }

  #drawNow(isMoving: boolean): void {
    const { links, current } = this.#content
    const marked = this.#marked
    const isOfMarked = ([from, to]: Link) => from === marked || to === marked
    const own = marked === null ? [] : links.filter(isOfMarked)
    const near = new Set(own.flat())
    const opacity = marked === null ? 1 : 0.35
    // Many lines over each other would be one area.
    const density = Math.max(0.3, Math.min(1, 4000 / links.length))
    const stride = isMoving ? Math.ceil(links.length / maxMovingLinks) : 1
    const drawn = stride === 1 ? links : links.filter((_, index) => index % stride === 0)
    this.#context.clearRect(0, 0, this.#size.width, this.#size.height)
    this.#strokeLinks(opacity * density, this.#colors.line, drawn)
    if (marked !== null) this.#strokeLinks(1, this.#colors.current, own)
    this.#fillNodes(opacity, this.#colors.node, (node) => node !== current)
    this.#fillNodes(1, this.#colors.text, (node) => near.has(node))
    this.#fillNodes(1, this.#colors.current, (node) => node === current || node === marked)
    if (!isMoving) this.#writeTitles(near)
  }

  #strokeLinks(opacity: number, color: string, links: readonly Link[]): void {
    const context = this.#context
    context.globalAlpha = opacity
    context.strokeStyle = color
    context.lineWidth = 1
    context.beginPath()
    for (const [from, to] of links) {
      if (!(this.#isInView(from) || this.#isInView(to))) continue
      context.moveTo(this.#left(from), this.#top(from))
      context.lineTo(this.#left(to), this.#top(to))
    }
    context.stroke()
    context.globalAlpha = 1
  }

  /** Small ones as squares, which nobody can tell from circles. */
  #fillNodes(opacity: number, color: string, isWanted: (node: number) => boolean): void {
    const context = this.#context
    context.globalAlpha = opacity
    context.fillStyle = color
    context.beginPath()
    for (let node = 0; node < this.#content.titles.length; node += 1) {
      if (!isWanted(node) || !this.#isInView(node)) continue
      const [left, top, radius] = [this.#left(node), this.#top(node), this.#radius(node)]
      if (radius <= 2.5) {
        context.fillRect(left - radius, top - radius, 2 * radius, 2 * radius)
        continue
      }
      context.moveTo(left + radius, top)
      context.arc(left, top, radius, 0, 2 * Math.PI)
    }
    context.fill()
    context.globalAlpha = 1
  }

  /** Of the marked node and those near it, else of the most linked in view, where there is room. */
  #writeTitles(near: ReadonlySet<number>): void {
    const { titles, current } = this.#content
    const context = this.#context
    const nodes =
      this.#marked === null
        ? [...(current < 0 ? [] : [current]), ...this.#byDegree.filter((node) => this.#isInView(node))]
        : [this.#marked, ...near]
    context.font = '12px system-ui, sans-serif'
    context.textAlign = 'center'
    context.lineWidth = 3
    context.strokeStyle = this.#colors.paper
    context.fillStyle = this.#colors.text
    const taken: Place[] = []
    for (const node of nodes.slice(0, 4 * maxTitles)) {
      const whole = titles[node]!
      const title = whole.length > maxTitle ? `${whole.slice(0, maxTitle - 1)}…` : whole
      const y = this.#top(node) + this.#radius(node) + 14
      const place = { x: this.#left(node), y, width: context.measureText(title).width }
      if (taken.length >= maxTitles || taken.some((other) => overlaps(other, place))) continue
      taken.push(place)
      context.strokeText(title, place.x, place.y)
      context.fillText(title, place.x, place.y)
    }
  }
}

/** The middle of a line of text. */
type Place = { x: number; y: number; width: number }

const overlaps = (one: Place, other: Place) =>
  Math.abs(one.y - other.y) < 14 && Math.abs(one.x - other.x) < (one.width + other.width) / 2 + 6

function boundsOf(x: Float32Array, y: Float32Array) {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity }
  for (let node = 0; node < x.length; node += 1) {
    box.left = Math.min(box.left, x[node]!)
    box.right = Math.max(box.right, x[node]!)
    box.top = Math.min(box.top, y[node]!)
    box.bottom = Math.max(box.bottom, y[node]!)
  }
  return box
}

type Colors = Record<'line' | 'node' | 'text' | 'current' | 'paper', string>

function readColors(ink: Element): Colors {
  const colorOf = (name: keyof Colors) => {
    const shade = ink.querySelector(`[data-ink=${name}]`)
    return shade ? getComputedStyle(shade).color : 'gray'
  }
  return {
    line: colorOf('line'),
    node: colorOf('node'),
    text: colorOf('text'),
    current: colorOf('current'),
    paper: colorOf('paper'),
  }
}
