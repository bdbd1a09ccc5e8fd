import { el } from '../dom.ts'
import type { Piece } from './snippet.ts'

/** Pieces as nodes: text, and the marked ones in `<mark>`. */
export const markedNodes = (pieces: readonly Piece[]): (HTMLElement | string)[] =>
  pieces.map(({ text, marked }) => (marked ? el('mark', {}, text) : text))
