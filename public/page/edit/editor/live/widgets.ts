import { type EditorView, WidgetType } from '@codemirror/view'
import { el } from '../../../../ui/dom.ts'

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
