// Padding that pushes a part of a text out of sight: long runs of blanks that no layout folds, and of empty lines.

/** In a row: no indentation or layout of a table has as many. */
const minBlanks = 10

const minLines = 30

export type Padding = { blanks: number; lines: number }

const blank =
  '(?:[\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u2800\\u3000\\u3164]|&(?:nbsp|ensp|emsp|thinsp|#160|#xa0);)'

/** Plain spaces and tabs fold when a text is shown, but not where it is shown as it is written. */
const blanks = new RegExp(`${blank}(?:[ \\t]?${blank})+|[ \\t]{1000,}`, 'gi')

const eachBlank = new RegExp(`${blank}|[ \\t]`, 'gi')

const breaks = /(?:<br\s{0,3}\/?>\s{0,3})+/gi

const emptyLine = /^(?:\s|>|<br\s{0,3}\/?>|&(?:nbsp|#160|#xa0);|\u2800|\u200b|\\)*$/i

/** The longest run of blanks and of empty lines; 0 for what may be layout. Takes time in proportion to the text. */
export function paddingIn(text: string): Padding {
  let [longest, run, lines] = [0, 0, 0]
  for (const [found] of text.matchAll(blanks))
    longest = Math.max(longest, found.match(eachBlank)?.length ?? 0)
  for (const [found] of text.matchAll(breaks)) lines = Math.max(lines, found.match(/<br/gi)?.length ?? 0)
  for (const line of text.split('\n')) {
    run = emptyLine.test(line) ? run + 1 : 0
    lines = Math.max(lines, run)
  }
  return { blanks: longest < minBlanks ? 0 : longest, lines: lines < minLines ? 0 : lines }
}

/** In words; empty for none. */
export const namePadding = ({ blanks, lines }: Padding): string =>
  [
    ...(blanks > 0 ? [`${blanks.toLocaleString('en')} blanks in a row`] : []),
    ...(lines > 0 ? [`${lines.toLocaleString('en')} empty lines in a row`] : []),
  ].join(' and ')
