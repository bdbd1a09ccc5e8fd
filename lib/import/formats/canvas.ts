import { SkippedFile } from '../../vault/skipped-file.ts'
import type { Format } from '../file/format.ts'

/** Obsidian's drawing boards: their cards are notes that come in by themselves. */
export const format: Format = {
  extensions: ['.canvas'],
  makes: 'page',
  atOnce: Number.POSITIVE_INFINITY,
  parse() {
    throw new SkippedFile('it is an Obsidian canvas, which Void does not import; its notes are imported')
  },
}
