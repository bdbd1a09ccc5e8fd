import { syntaxTree } from '@codemirror/language'
import { type Extension, Prec, StateEffect } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { normalizeName } from '../../../../lib/core/text/normalize-name.ts'
import { blockDrawers, drawTable } from './draw-blocks.ts'
import { Drawing, ImageWidget, type SyntaxNode } from './drawing.ts'
import { addFiles, linkTargets, ownImage, setLinks } from './link-targets.ts'
import { frontMatterEnd, isVerbatim } from './markdown-marks.ts'
import { liveTheme } from './theme.ts'

const hideWhole: Draw = (node, drawing) => {
  if (!drawing.isRevealed(node)) drawing.hide(node.from, node.to)
}

const inlineDrawers: Readonly<Record<string, Draw>> = {
  EmphasisMark: hideWhole,
  StrikethroughMark: hideWhole,
  SuperscriptMark: hideWhole,
  SubscriptMark: hideWhole,
  CodeMark(node, drawing) {
    if (node.parent?.name === 'InlineCode') hideWhole(node, drawing)
  },
  Escape(node, drawing) {
    if (!drawing.isRevealed(node)) drawing.hide(node.from, node.from + 1)
  },
  Link: drawLink,
  Image: drawImage,
}

// The text as it will look, while it is written: marks are hidden but on the lines that hold the caret or a selection,
// boxes can be ticked, pictures, tables, callouts and code stand in place. Only what is visible is drawn.

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
    const hasNews = update.transactions.some(({ effects }) =>
      effects.some((effect) => effect.is(setLinks) || effect.is(addFiles) || effect.is(released)),
    )
    if (changed || hasNews || (moved && !this.#isPressed)) this.#draw(update.view)
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

// Marks within a line as the live preview draws them: emphasis, code, links, pictures, wikilinks.

type Draw = (node: SyntaxNode, drawing: Drawing) => void

/** Its words alone; where it leads is said on hovering. */
function drawLink(node: SyntaxNode, drawing: Drawing): void {
  const url = node.getChild('URL')
  const [open, close] = node.getChildren('LinkMark')
  if (!url || !open || !close) return
  const address = drawing.state.sliceDoc(url.from, url.to)
  drawing.mark(open.to, close.from, 'md-label', { title: address, 'data-follow': address })
  if (drawing.isRevealed(node) || close.from === open.to) return
  drawing.hide(open.from, open.to)
  drawing.hide(close.from, node.to)
}

function drawImage(node: SyntaxNode, drawing: Drawing): void {
  const url = node.getChild('URL')
  const [open, close] = node.getChildren('LinkMark')
  if (!url || !open || !close || drawing.isRevealed(node)) return
  const { state } = drawing
  const own = ownImage(state, state.sliceDoc(url.from, url.to))
  if (own) drawing.replace(node.from, node.to, new ImageWidget(own, state.sliceDoc(open.to, close.from), ''))
}

const wikilink = /(!?)\[\[([^[\]\n|#]*)(?:#([^[\]\n|]*))?(?:\\?\|([^[\]\n]*))?\]\]/g

/** `isVerbatim`: whether a place is code, or otherwise taken as it is. */
function drawWikilinks(
  span: { from: number; to: number },
  drawing: Drawing,
  isVerbatim: (at: number) => boolean,
): void {
  const { state } = drawing
  const targets = state.field(linkTargets)
  for (const match of state.sliceDoc(span.from, span.to).matchAll(wikilink)) {
    const [raw, bang, target = '', heading = '', label] = match
    const from = span.from + match.index
    const to = from + raw.length
    if (isVerbatim(from + 2)) continue
    const own = bang && !drawing.isRevealed({ from, to }) ? ownImage(state, target.trim()) : null
    if (own) {
      const width = /^(\d{1,4})(?:x\d{1,4})?$/.exec(label?.trim() ?? '')?.[1] ?? ''
      drawing.replace(from, to, new ImageWidget(own, label && !width ? label : target, width))
      continue
    }
    const shownFrom = label ? to - 2 - label.length : from + bang!.length + 2
    const isMissing = targets.missing.has(normalizeName(target))
    drawing.mark(shownFrom, to - 2, isMissing ? 'md-label md-missing' : 'md-label', {
      title: [target, heading].filter(Boolean).join(' › '),
      'data-page': target.trim(),
    })
    if (drawing.isRevealed({ from, to }) || shownFrom >= to - 2) continue
    drawing.hide(from, shownFrom)
    drawing.hide(to - 2, to)
  }
}
