import { Facet } from '@codemirror/state'
import { Decoration, type EditorView, WidgetType } from '@codemirror/view'
import { el } from '../../../../ui/dom.ts'

/** How a block reads: its node is a child of the page's text, shown through a slot in its place. */
export type Drawn = {
  /** Of its slot. */
  readonly id: string
  /** The text that the node shows. */
  source: string
  /** `null`: not rendered yet, or it shows nothing. */
  node: HTMLElement | null
  /** It shows nothing in its place, as the definition of a link does. */
  isUnseen: boolean
  /** In pixels, with the space above it; -1: not measured. */
  height: number
}

/** Puts the node of a block among those of the page. */
export const drawBlock = Facet.define<(drawn: Drawn, view: EditorView) => void>()

export class BlockWidget extends WidgetType {
  readonly drawn: Drawn

  constructor(drawn: Drawn) {
    super()
    this.drawn = drawn
  }

  override eq(other: BlockWidget): boolean {
    return other.drawn === this.drawn
  }

  override get estimatedHeight(): number {
    return this.drawn.isUnseen ? 0 : this.drawn.height
  }

  override toDOM(view: EditorView): HTMLElement {
    if (this.drawn.isUnseen) return el('div', { class: 'md-nothing' })
    for (const draw of view.state.facet(drawBlock)) draw(this.drawn, view)
    return el('div', { class: 'md-block' }, el('slot', { name: this.drawn.id }))
  }

  override ignoreEvent(): boolean {
    return true
  }
}

/** The footnotes, below the text. */
export class FootWidget extends WidgetType {
  readonly #height: number

  constructor(height: number) {
    super()
    this.#height = height
  }

  override eq(): boolean {
    return true
  }

  override get estimatedHeight(): number {
    return this.#height
  }

  override toDOM(): HTMLElement {
    return el('div', { class: 'md-block' }, el('slot', { name: 'foot' }))
  }

  override ignoreEvent(): boolean {
    return true
  }
}

/** The space above an open block, in the place of the lines that are not seen there. */
class Space extends WidgetType {
  readonly #height: number

  constructor(height: number) {
    super()
    this.#height = height
  }

  override eq(other: Space): boolean {
    return other.#height === this.#height
  }

  override get estimatedHeight(): number {
    return this.#height
  }

  override toDOM(): HTMLElement {
    const node = el('div', { class: 'md-nothing' })
    node.style.setProperty('block-size', `${this.#height}px`)
    return node
  }

  override ignoreEvent(): boolean {
    return true
  }
}

/** In the place of the lines above an open block; `before`: where there are none. */
export const spaceAbove = (height: number) => {
  const widget = new Space(height)
  return {
    lines: Decoration.replace({ block: true, widget }),
    before: Decoration.widget({ block: true, side: -1, widget }),
  }
}
