import type { syntaxTree } from '@codemirror/language'
import type { EditorState, Line, Range } from '@codemirror/state'
import { Decoration, type EditorView, type WidgetType } from '@codemirror/view'

/** A node of the parsed text. */
export type SyntaxNode = ReturnType<typeof syntaxTree>['topNode']

type Span = { from: number; to: number }

const hidden = Decoration.replace({})

/** What is drawn over the visible source. Only there: a text of a megabyte costs no more than a short one. */
export class Drawing {
  readonly state: EditorState
  readonly visible: readonly Span[]
  readonly ranges: Range<Decoration>[] = []
  /** Outside of all others, which would cut them. */
  readonly cells: Range<Decoration>[] = []
  readonly #revealed: Span[]

  /** `revealed`: whole lines that are shown as they are written. */
  constructor(view: EditorView, revealed: readonly Span[]) {
    this.state = view.state
    this.visible = view.visibleRanges
    this.#revealed = [...revealed]
  }

  isRevealed({ from, to }: Span): boolean {
    return this.#revealed.some((shown) => shown.from <= to && shown.to >= from)
  }

  /** Shows all of a block as it is written. */
  reveal(block: Span): void {
    this.#revealed.push(block)
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
    for (const seen of this.visible) {
      const end = Math.min(to, seen.to)
      for (let at = Math.max(from, seen.from); at <= end; ) {
        const line = doc.lineAt(at)
        yield line
        at = line.to + 1
      }
    }
  }
}
