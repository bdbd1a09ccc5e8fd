import { type Format, SkippedFile } from '../format.ts'

/** Obsidian's drawing boards: their cards are notes that come in by themselves. */
export const format: Format = {
  extensions: ['.canvas'],
  makes: 'page',
  atOnce: Number.POSITIVE_INFINITY,
  parse() {
    throw new SkippedFile('it is an Obsidian canvas, which Void has no place for; the notes on it come in')
  },
}
