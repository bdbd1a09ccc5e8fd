import { quoteShown, showLine, splitHidden } from '../../../lib/core/text/quote-name.ts'
import { type Child, el } from '../dom.ts'

/** Text with hidden characters written out: for everything that an agent or a file may have written. */
export const visible = (text: string): Child =>
  splitHidden(text).map((piece) =>
    typeof piece === 'string'
      ? piece
      : el('code', { class: 'hidden-character', title: piece.name }, piece.code),
  )

/**
 * A name or text that an agent or a file may have written, where the app's own words stand next to it: in quotation marks
 * that it cannot end, on one line, bounded, and isolated from the reading direction around it.
 */
export const quoted = (text: string, maxChars?: number): HTMLElement =>
  el('bdi', { class: 'quoted' }, quoteShown(text, maxChars))

/** The same without quotation marks, where none of the app's words stand next to it. */
export const isolated = (text: string, maxChars?: number): HTMLElement =>
  el('bdi', {}, showLine(text, maxChars))

/** An agent's name within a sentence; only the companion's stands without quotation marks. */
export const agentName = ({ slug, name }: { slug: string; name: string }): HTMLElement =>
  slug === 'companion' ? el('bdi', {}, visible(name)) : quoted(name)

/** A finished sentence of the app, with each text in quotation marks isolated from the reading direction around it. */
export const isolateQuotes = (sentence: string): Child =>
  sentence
    .split(/(“[^“”]*”|‘[^‘’]*’)/u)
    .map((piece, index) => (index % 2 === 1 ? el('bdi', {}, visible(piece)) : visible(piece)))

/** For a text that the server could not read or compare within its limits, in the words of a card's warning. */
export const tooComplex = (what: string, instead = ''): HTMLElement =>
  el('p', { class: 'dim too-complex' }, `${what} is too complex to show in full.${instead && ` ${instead}`}`)
