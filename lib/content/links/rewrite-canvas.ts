// The links of a canvas given another target: in its file (https://jsoncanvas.org/spec/1.0/), where nothing else changes,
// and in the text that it is searched by.

import type { LinkAim } from '../../core/text/links/read-destination.ts'
import { extensionOf, withoutNoteExtension } from '../../core/text/paths.ts'
import { rewriteLinks } from './rewrite-links.ts'

export const isCanvas = (path: string | null): boolean => path !== null && extensionOf(path) === '.canvas'

/** The one media type of files whose content may change. */
export const canvasMime = 'application/x-canvas'

type NewTargets = {
  /** The path of a file card's file, by the link to it. */
  cards: ReadonlyMap<string, string>
  /** The target of a link in a card's text. */
  choose: (aim: LinkAim) => string | undefined
}

/** A `file` or a `text` of a card, with its value. */
const value = /("(file|text)"\s*:\s*)("(?:[^"\\]|\\.)*")/g

/** The link to the file of a card, as in the text of a canvas. */
const linkOf = (path: string): string => path.replace(/\s+/g, ' ').trim().replace(/\.md$/i, '')

/** The file of a canvas; the same one if it cannot be read. */
export function rewriteCanvas(json: string, { cards, choose }: NewTargets): string {
  const next = json.replace(value, (whole, head: string, name: string, literal: string) => {
    const written: unknown = parse(literal)
    if (typeof written !== 'string') return whole
    const turned =
      name === 'file' ? (cards.get(linkOf(written)) ?? written) : rewriteLinks(written, choose).text
    return turned === written ? whole : head + JSON.stringify(turned)
  })
  return parse(json) === undefined || parse(next) === undefined ? json : next
}

/** The text of a canvas: cards with a text are quotations, all others lines of links. */
export function rewriteCanvasText(text: string, { cards, choose }: NewTargets): string {
  // The line of the link before, since links come in the order of the text.
  let [line, nextLine] = [0, 0]
  return rewriteLinks(text, (link) => {
    while (nextLine <= link.start) {
      line = nextLine
      nextLine = text.indexOf('\n', line) + 1 || Number.POSITIVE_INFINITY
    }
    if (text[line] === '>') return choose(link)
    const path = cards.get(link.target)
    return path === undefined ? undefined : withoutNoteExtension(path)
  }).text
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
