import type { syntaxTree } from '@codemirror/language'
import type { EditorState, Line, Range } from '@codemirror/state'
import { Decoration, type EditorView, WidgetType } from '@codemirror/view'
import { el } from '../../../ui/dom.ts'

/** A node of the parsed text. */
export type SyntaxNode = ReturnType<typeof syntaxTree>['topNode']

type Span = { from: number; to: number }

const hidden = Decoration.replace({})

/** What is drawn over the visible source. Only there: a text of a megabyte costs no more than a short one. */
export class Drawing {
  readonly state: EditorState
  readonly visible: readonly Span[]
  readonly ranges: Range<Decoration>[] = []
  readonly #revealed: readonly Span[]
  readonly #touched: readonly Span[]

  /** `revealed`: what is shown as it is written where it lies in a construct; `touched`: where the caret is, or a selection. */
  constructor(
    view: EditorView,
    { revealed, touched }: { revealed: readonly Span[]; touched: readonly Span[] },
  ) {
    this.state = view.state
    this.visible = view.visibleRanges
    this.#revealed = revealed
    this.#touched = touched
  }

  isTouched({ from, to }: Span): boolean {
    return this.#touched.some((range) => range.from <= to && range.to >= from)
  }

  isRevealed({ from, to }: Span): boolean {
    return this.#revealed.some((range) => range.from <= to && range.to >= from)
  }

  hide(from: number, to: number): void {
    if (to > from && this.state.doc.lineAt(from).to >= to) this.ranges.push(hidden.range(from, to))
  }

  replace(from: number, to: number, widget: WidgetType): void {
    if (this.state.doc.lineAt(from).to >= to) this.ranges.push(Decoration.replace({ widget }).range(from, to))
  }

  mark(from: number, to: number, className: string, attributes: Record<string, string> = {}): void {
    if (to > from) this.ranges.push(Decoration.mark({ class: className, attributes }).range(from, to))
  }

  line(at: number, className: string, attributes: Record<string, string> = {}): void {
    this.ranges.push(Decoration.line({ class: className, attributes }).range(at))
  }

  /** The visible lines of a block. */
  *linesOf({ from, to }: Span): Generator<Line> {
    const { doc } = this.state
    for (const range of this.visible) {
      const end = Math.min(to, range.to)
      for (let at = Math.max(from, range.from); at <= end; ) {
        const line = doc.lineAt(at)
        yield line
        at = line.to + 1
      }
    }
  }
}

/** The box of a task, which can be ticked where it stands. */
export class CheckboxWidget extends WidgetType {
  readonly #checked: boolean
  readonly #label: string

  constructor(checked: boolean, label: string) {
    super()
    this.#checked = checked
    this.#label = label
  }

  override eq(other: CheckboxWidget): boolean {
    return other.#checked === this.#checked && other.#label === this.#label
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = el('input', { type: 'checkbox', checked: this.#checked, 'aria-label': this.#label })
    const label = el('label', { class: 'md-check' }, box)
    box.addEventListener('change', () => {
      const from = view.posAtDOM(label)
      const marker = view.state.sliceDoc(from, from + 3)
      if (!/^\[[ xX]\]$/.test(marker)) return
      const insert = marker === '[ ]' ? '[x]' : '[ ]'
      view.dispatch({ changes: { from, to: from + 3, insert }, userEvent: 'input' })
    })
    return label
  }

  override ignoreEvent(): boolean {
    return true
  }
}

/** A picture of the Space. */
export class ImageWidget extends WidgetType {
  readonly #src: string
  readonly #alt: string
  readonly #width: string

  constructor(src: string, alt: string, width: string) {
    super()
    this.#src = src
    this.#alt = alt
    this.#width = width
  }

  override eq(other: ImageWidget): boolean {
    return other.#src === this.#src && other.#alt === this.#alt && other.#width === this.#width
  }

  override toDOM(view: EditorView): HTMLElement {
    const measure = () => view.requestMeasure()
    return el('img', {
      class: 'md-image',
      src: this.#src,
      alt: this.#alt,
      width: this.#width || null,
      onload: measure,
      onerror: measure,
    })
  }

  override ignoreEvent(): boolean {
    return false
  }
}

/** Words in the place of marks. */
export class WordsWidget extends WidgetType {
  readonly #words: string

  constructor(words: string) {
    super()
    this.#words = words
  }

  override eq(other: WordsWidget): boolean {
    return other.#words === this.#words
  }

  override toDOM(): HTMLElement {
    return el('span', {}, this.#words)
  }

  override ignoreEvent(): boolean {
    return false
  }
}
