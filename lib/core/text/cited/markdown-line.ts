import { cleanLine } from '../clean.ts'
import { plainText } from '../plain-text.ts'
import { stripEmbeds } from '../strip-embeds.ts'

/** A sentence that a model or a source wrote, as one line of Markdown in which nothing links, embeds or formats. */
export const markdownLine = (text: string): string =>
  cleanLine(plainText(stripEmbeds(text)))
    .replace(/[\\[\]<>*`|~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/^(?=[#>+=-]|\d+[.)]\s)/, '\\')
