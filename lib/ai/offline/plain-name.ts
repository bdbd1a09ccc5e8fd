import { plainText } from '../../core/text/markdown.ts'
import { stripEmbeds } from '../../core/text/split-note.ts'

/** A title or heading as it may appear in Markdown, within bold text too: its brackets make no link. */
export const plainName = (name: string): string =>
  plainText(stripEmbeds(name))
    .replace(/[*`<>|]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/\](?=[([])/g, '] ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed() || 'untitled'
