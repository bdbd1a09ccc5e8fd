// The cards, groups and arrows of a canvas as nodes, each at its place. What a card holds is drawn when it comes into view.

import type { Links, Space } from '../../../lib/contract/entities.ts'
import type { Canvas, CanvasCard } from '../../../lib/core/text/canvas.ts'
import { extensionOf, withoutNoteExtension } from '../../../lib/core/text/paths.ts'
import type { Reader } from '../../app/api/api.ts'
import { externalLink } from '../../ui/components/external-link.ts'
import { type Child, el, svg } from '../../ui/dom.ts'
import { createLinkFinder } from '../../ui/markdown/links.ts'
import { renderMarkdown, textContext } from '../../ui/markdown/markdown.ts'
import { entityHref } from '../../ui/words/addresses.ts'
import { loadPreview } from '../preview/load-preview.ts'
import { type Board, boardOf, colorOf, shapeOf } from './geometry.ts'

/** Of a canvas with more, the first are drawn. */
const maxCards = 3000
const maxEdges = 6000

export type CanvasPlace = {
  space: Space
  links: Pick<Links, 'links' | 'label_first'>
  api: Reader
  signal: AbortSignal
}

export type DrawnCanvas = {
  layer: HTMLElement
  board: Board
  isCut: boolean
  /** Draws what a card holds, once. */
  fill(card: Element): void
}

export function drawCanvas({ cards: all, edges: allEdges }: Canvas, place: CanvasPlace): DrawnCanvas {
  const cards = all.slice(0, maxCards)
  const edges = allEdges.slice(0, maxEdges)
  const board = boardOf(cards)
  const byId = new Map(cards.map((card) => [card.id, card]))
  const unfilled = new Map<Element, CanvasCard>()
  const groups = cards.filter(({ type }) => type === 'group').map((card) => frameOf(card, board))
  const drawn = cards
    .filter(({ type }) => type !== 'group')
    .map((card) => {
      const frame = frameOf(card, board)
      unfilled.set(frame, card)
      return frame
    })
  const shapes = edges.flatMap((edge) => {
    const shape = shapeOf(edge, byId, board)
    return shape ? [{ ...shape, label: edge.label, color: colorOf(edge.color) }] : []
  })
  const lines = svg(
    'svg',
    { class: 'canvas-lines', width: board.width, height: board.height, 'aria-hidden': 'true' },
    shapes.map(({ line, arrows, color }) =>
      svg(
        'g',
        { 'data-color': color },
        svg('path', { class: 'canvas-line', d: line }),
        arrows.map((arrow) => svg('path', { class: 'canvas-arrow', d: arrow })),
      ),
    ),
  )
  const labels = shapes
    .filter(({ label }) => label !== '')
    .map(({ label, middle }) => {
      const node = el('span', { class: 'canvas-label' }, label)
      node.style.setProperty('left', `${middle.x}px`)
      node.style.setProperty('top', `${middle.y}px`)
      return node
    })
  return {
    layer: el('div', { class: 'canvas-layer' }, groups, lines, drawn, labels),
    board,
    isCut: all.length > maxCards || allEdges.length > maxEdges,
    fill(frame) {
      const card = unfilled.get(frame)
      unfilled.delete(frame)
      if (card) frame.append(...[contentOf(card, place)].flat())
    },
  }
}

function frameOf(card: CanvasCard, { left, top }: Board): HTMLElement {
  const isGroup = card.type === 'group'
  const frame = el(
    isGroup ? 'div' : 'article',
    { class: isGroup ? 'canvas-group' : 'canvas-card', 'data-color': colorOf(card.color) },
    isGroup && card.label !== '' && el('p', { class: 'canvas-group-label' }, el('bdi', {}, card.label)),
  )
  const sizes = { left: card.x - left, top: card.y - top, width: card.width, height: card.height }
  for (const [name, value] of Object.entries(sizes)) frame.style.setProperty(name, `${value}px`)
  return frame
}

function contentOf(card: CanvasCard, place: CanvasPlace): HTMLElement {
  const context = textContext(place.space, place.links)
  if (card.type === 'text') return el('div', { class: 'canvas-text' }, renderMarkdown(card.text, context))
  if (card.type === 'link') return el('p', { class: 'canvas-link' }, externalLink(card.url) ?? card.url)
  return card.type === 'file' ? fileContent(card, place) : el('div')
}

/** A picture, or the name of a page and what it begins with. */
function fileContent(card: Extract<CanvasCard, { type: 'file' }>, place: CanvasPlace): HTMLElement {
  const { file, subpath } = card
  const { space, links } = place
  const target = withoutNoteExtension(file)
  const link = createLinkFinder(links.links).find({ form: 'wiki', target })
  const heading = subpath.replace(/^#/, '')
  const name = [link?.to_title ?? target, heading].filter(Boolean).join(' › ')
  const href = link?.to_type && link.to_id ? entityHref(space.slug, link.to_type, link.to_id) : null
  if (!href || !link?.to_id || !link.to_type)
    return el('p', { class: 'canvas-missing' }, `Not found: ${target}`)
  if (link.to_type === 'source_doc' && /^\.(?:png|jpe?g|gif|webp|avif|svg)$/.test(extensionOf(file))) {
    const src = `/api/source-docs/${link.to_id}/original`
    return el('a', { class: 'canvas-picture', href }, el('img', { src, alt: name, loading: 'lazy' }))
  }
  const content = el('div', { class: 'canvas-text' })
  const aim = { kind: link.to_type, id: link.to_id, ...(heading ? { heading } : {}) }
  void loadPreview(place.api, aim, place.signal).then((preview) => {
    if (!preview || place.signal.aborted) return
    const { text, path } = preview
    content.append(renderMarkdown(text, { ...textContext(space, preview), path }))
  })
  const address = heading ? `${href}#${encodeURIComponent(heading)}` : href
  return el('div', { class: 'canvas-file' }, title(address, name), content)
}

const title = (href: string, name: string): Child =>
  el('p', { class: 'canvas-title' }, el('a', { href }, el('bdi', {}, name)))
