import { syntaxTree } from '@codemirror/language'
import { type Extension, StateEffect } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { normalizeName } from '../../../../lib/core/text/normalize-name.ts'
import { hostHint } from '../../../ui/markdown/links.ts'
import { settle } from './blocks/blocks.ts'
import { blockDrawers } from './draw-blocks.ts'
import { Drawing, ImageWidget, type SyntaxNode } from './drawing.ts'
import { drawInline } from './inline-drawn.ts'
import { addFiles, linkTargets, namedImage, ownImage, readParts, setLinks } from './link-targets.ts'
import { frontMatterEnd, isVerbatim } from './markdown-marks.ts'
import { liveTheme } from './theme.ts'

const hideWhole: Draw = (node, drawing) => {
  if (!drawing.isRevealed(node.parent ?? node)) drawing.hide(node.from, node.to)
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

// The open blocks as the page reads them: marks are hidden but those of what the caret is in. A click reveals none, so
// that nothing moves from under the pointer; the first key does. Only what is visible is drawn.

const drawers = { ...blockDrawers, ...inlineDrawers }

const released = StateEffect.define<null>()

class LivePreview {
  decorations: DecorationSet = Decoration.none
  #isPressed = false
  /** The caret was placed by a pointer, and no key has followed. */
  #isQuiet = true
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
    for (const transaction of update.transactions) {
      if (transaction.isUserEvent('select.pointer')) this.#isQuiet = true
      else if (transaction.docChanged || transaction.isUserEvent('select')) this.#isQuiet = false
    }
    const changed = update.docChanged || update.viewportChanged || parsed
    const moved = update.selectionSet || update.focusChanged
    const hasNews = update.transactions.some(({ effects }) =>
      effects.some(
        (effect) => effect.is(setLinks) || effect.is(addFiles) || effect.is(settle) || effect.is(released),
      ),
    )
    if (changed || hasNews || (moved && !this.#isPressed)) this.#draw(update.view)
  }

  destroy(): void {
    this.#document.removeEventListener('pointerup', this.#release)
    this.#document.removeEventListener('pointercancel', this.#release)
  }

  #draw(view: EditorView): void {
    const { state } = view
    const { ranges, main } = state.selection
    const isRevealing = view.hasFocus && !(this.#isQuiet && main.empty)
    const drawing = new Drawing(view, { revealed: isRevealing ? ranges : [], touched: ranges })
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
    drawBlankLines(view, drawing)
    drawInline(view, drawing)
    this.decorations = Decoration.set(drawing.ranges, true)
  }
}

/** Empty lines of an open block are as high as the space between two blocks, but for the one that the caret is in. */
function drawBlankLines({ state, visibleRanges }: EditorView, drawing: Drawing): void {
  for (const range of visibleRanges) {
    for (const line of drawing.linesOf(range)) {
      const isBlank = line.length === 0 && !isVerbatim(state, line.from)
      if (!isBlank || drawing.isTouched(line)) continue
      const isEnd = state.sliceDoc(line.to, line.to + 10_000).trim() === ''
      drawing.line(line.from, isEnd ? 'md-gone-line' : 'md-blank-line')
    }
  }
}

const plugin = ViewPlugin.fromClass(LivePreview, {
  decorations: (live) => live.decorations,
  eventHandlers: {
    pointerdown() {
      this.press()
    },
  },
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
  const host = hostHint(drawing.state.sliceDoc(open.to, close.from), address)
  const hint: Record<string, string> = host ? { 'data-host': host } : {}
  drawing.mark(open.to, close.from, 'md-label', { title: address, 'data-follow': address, ...hint })
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

const wikilink = /(!?)\[\[([^[\]\n]*)\]\]/g

/** `isVerbatim`: whether a place is code, or otherwise taken as it is. */
function drawWikilinks(
  span: { from: number; to: number },
  drawing: Drawing,
  isVerbatim: (at: number) => boolean,
): void {
  const { state } = drawing
  const targets = state.field(linkTargets)
  for (const match of state.sliceDoc(span.from, span.to).matchAll(wikilink)) {
    const [raw, bang = '', inside = ''] = match
    const { target, heading, label, shownFrom: start, shownTo: end } = readParts(inside, targets.labelFirst)
    const from = span.from + match.index
    const to = from + raw.length
    if (isVerbatim(from + 2)) continue
    const own = bang && !drawing.isRevealed({ from, to }) ? namedImage(state, target.trim()) : null
    if (own) {
      const width = /^(\d{1,4})(?:x\d{1,4})?$/.exec(label.trim())?.[1] ?? ''
      drawing.replace(from, to, new ImageWidget(own, label && !width ? label : target, width))
      continue
    }
    const inner = from + bang.length + 2
    const [shownFrom, shownTo] = [inner + start, inner + end]
    const isMissing = targets.missing.has(normalizeName(target))
    if (shownFrom >= shownTo) continue
    drawing.mark(shownFrom, shownTo, isMissing ? 'md-label md-missing' : 'md-label', {
      title: [target, heading].filter(Boolean).join(' › '),
      'data-page': target.trim(),
    })
    if (drawing.isRevealed({ from, to })) continue
    drawing.hide(from, shownFrom)
    drawing.hide(shownTo, to)
  }
}
