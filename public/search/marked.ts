import type { Piece } from '../../lib/contract/space/search.ts'
import { el } from '../dom.ts'

/** Pieces as nodes: text, and the marked ones in `<mark>`. */
export const markedNodes = (pieces: readonly Piece[]): (HTMLElement | string)[] =>
  pieces.map(({ text, marked }) => (marked ? el('mark', {}, text) : text))
