// Marks within a line as the live preview draws them: emphasis, code, links, pictures, wikilinks.

import { normalizeName } from '../../../../../lib/core/text/normalize-name.ts'
import type { Drawing, SyntaxNode } from './drawing.ts'
import { linkTargets, ownImage } from './link-targets.ts'
import { ImageWidget } from './widgets.ts'

type Draw = (node: SyntaxNode, drawing: Drawing) => void

const hideWhole: Draw = (node, drawing) => {
  if (!drawing.isRevealed(node)) drawing.hide(node.from, node.to)
}

export const inlineDrawers: Readonly<Record<string, Draw>> = {
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
export function drawWikilinks(
  span: { from: number; to: number },
  drawing: Drawing,
  isVerbatim: (at: number) => boolean,
): void {
  const { state } = drawing
  const targets = state.field(linkTargets)
  for (const found of state.sliceDoc(span.from, span.to).matchAll(wikilink)) {
    const [raw, bang, target = '', heading = '', label] = found
    const from = span.from + found.index
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
