// The text as it will look, while it is written: marks are hidden but on the lines that hold the caret or a selection,
// boxes can be ticked, pictures, tables, callouts and code stand in place. Only what is visible is drawn.

import { syntaxTree } from '@codemirror/language'
import { type Extension, Prec, StateEffect } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { frontMatterEnd } from '../syntax/front-matter-end.ts'
import { isVerbatim } from '../syntax/is-verbatim.ts'
import { blockDrawers } from './draw-blocks.ts'
import { drawWikilinks, inlineDrawers } from './draw-inline.ts'
import { drawTable } from './draw-tables.ts'
import { Drawing } from './drawing.ts'
import { addFiles, setLinks } from './link-targets.ts'
import { liveTheme } from './live-theme.ts'

const drawers = { ...blockDrawers, ...inlineDrawers, Table: drawTable }
const released = StateEffect.define<null>()

class LivePreview {
  decorations: DecorationSet = Decoration.none
  cells: DecorationSet = Decoration.none
  #isPressed = false
  readonly #release: () => void
  readonly #document: Document

  constructor(view: EditorView) {
    this.#document = view.dom.ownerDocument
    this.#release = () => {
      if (!this.#isPressed) return
      this.#isPressed = false
      view.dispatch({ effects: released.of(null) })
    }
    this.#document.addEventListener('pointerup', this.#release)
    this.#document.addEventListener('pointercancel', this.#release)
    this.#draw(view)
  }

  /** While the pointer is down nothing is revealed: the text would move away from under it. */
  press(): void {
    this.#isPressed = true
  }

  update(update: ViewUpdate): void {
    const parsed = syntaxTree(update.startState) !== syntaxTree(update.state)
    const changed = update.docChanged || update.viewportChanged || parsed
    const moved = update.selectionSet || update.focusChanged
    const told = update.transactions.some(({ effects }) =>
      effects.some((effect) => effect.is(setLinks) || effect.is(addFiles) || effect.is(released)),
    )
    if (changed || told || (moved && !this.#isPressed)) this.#draw(update.view)
  }

  destroy(): void {
    this.#document.removeEventListener('pointerup', this.#release)
    this.#document.removeEventListener('pointercancel', this.#release)
  }

  #draw(view: EditorView): void {
    const drawing = new Drawing(view, view.hasFocus ? linesOfSelection(view) : [])
    const { state } = view
    const front = frontMatterEnd(state.doc)
    for (const { from } of drawing.linesOf({ from: 0, to: front - 1 })) drawing.line(from, 'md-front-line')
    for (const { from, to } of view.visibleRanges) {
      syntaxTree(state).iterate({
        from,
        to,
        enter(node) {
          if (node.from < front && node.name !== 'Document') return false
          drawers[node.name as keyof typeof drawers]?.(node.node, drawing)
          return undefined
        },
      })
      drawWikilinks({ from: Math.max(from, front), to: Math.max(to, front) }, drawing, (at) =>
        isVerbatim(state, at),
      )
    }
    this.decorations = Decoration.set(drawing.ranges, true)
    this.cells = Decoration.set(drawing.cells, true)
  }
}

function linesOfSelection({ state }: EditorView): { from: number; to: number }[] {
  return state.selection.ranges.map(({ from, to }) => ({
    from: state.doc.lineAt(from).from,
    to: state.doc.lineAt(to).to,
  }))
}

const plugin = ViewPlugin.fromClass(LivePreview, {
  decorations: (live) => live.decorations,
  eventHandlers: {
    pointerdown() {
      this.press()
    },
  },
  // Of lower precedence, so that they enclose the others.
  provide: (self) =>
    Prec.lowest(EditorView.decorations.of((view) => view.plugin(self)?.cells ?? Decoration.none)),
})

export const livePreview: Extension = [plugin, liveTheme]
