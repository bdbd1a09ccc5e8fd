// A text with runs of lines that are marked: what a mail quotes, forwards and signs with.

type Fold = { kind: string; from_line: number; to_line: number }

/** A run of a text: lines that are marked, or lines between two such runs. */
export type FoldedPiece<F extends Fold> = { text: string; fold: F | null; from_line: number }

/** The runs of a text in order, without blank ones. Folds that are out of order or beyond the text are left out. */
export function splitFolds<F extends Fold>(text: string, folds: readonly F[]): FoldedPiece<F>[] {
  const lines = text.split('\n')
  const pieces: FoldedPiece<F>[] = []
  const add = (from: number, to: number, fold: F | null) => {
    const piece = lines.slice(from, to).join('\n')
    const first = piece.search(/\S/)
    if (first < 0) return
    const blank = piece.slice(0, first).split('\n').length - 1
    pieces.push({
      text: piece.split('\n').slice(blank).join('\n').trimEnd(),
      fold,
      from_line: from + blank + 1,
    })
  }
  let at = 0
  for (const fold of folds) {
    if (fold.from_line - 1 < at || fold.to_line < fold.from_line || fold.to_line > lines.length) continue
    add(at, fold.from_line - 1, null)
    add(fold.from_line - 1, fold.to_line, fold)
    at = fold.to_line
  }
  add(at, lines.length, null)
  return pieces
}

const said: ReadonlySet<string> = new Set(['forward'])

/** What a message says itself: its own words, and what it forwards. */
export const ownWords = (text: string, folds: readonly Fold[]): string =>
  splitFolds(text, folds)
    .filter(({ fold }) => fold === null || said.has(fold.kind))
    .map((piece) => piece.text)
    .join('\n\n')
