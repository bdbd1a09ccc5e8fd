/**
 * Plain text as Markdown that shows it as it is: no tag, link, emphasis or heading comes out of it. An underscore
 * inside a word stays, since there it means nothing.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]<~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '\\&')
}

/** A line that would begin a heading, a list, a quote, a rule or a fence, made to begin none. */
export const escapeLineStart = (line: string): string =>
  line
    .replace(/^(\s*)(?=#{1,6}(\s|$)|[-+=>](\s|$|[-+=>])|>|-{3,}|={3,}|:::)/, '$1\\')
    .replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2')
