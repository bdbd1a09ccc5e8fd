// A statement taken out of texts that held it: lines of memory that say the same, whole, and its words elsewhere.

import { item, readItem } from './memory-lines.ts'
import { maxStatement, removedMark } from './removed-mark.ts'
import { statementKey, wordsIn } from './statements.ts'

/**
 * The text without a statement. A line of memory that says the same, whatever its case and marks, becomes `mark`, or goes
 * with `null`; other lines of memory stay as they are, whatever words they have. Elsewhere the words of a statement of two
 * or more, in their order, become the mark. A statement without words is found as it is written.
 */
export const purgeStatement = (text: string, statement: string, mark: string | null = removedMark): string =>
  purgeOf(statement)(text, mark)

/** `purgeStatement` for many texts: the statement is read once. */
export function purgeOf(statement: string): (text: string, mark?: string | null) => string {
  const words = statement.length > maxStatement ? [] : wordsIn(statement)
  const isSame = sameAs(statement)
  const inline = words.length > 1 ? inOrder(words) : null
  return (text, mark = removedMark) =>
    text
      .split('\n')
      .flatMap((line) => {
        const whole = line.trimEnd()
        const held = item.exec(whole)?.[1]
        if (held === undefined) return [inline ? line.replace(inline, removedMark) : line]
        if (!isSame(readItem(held).text)) return [line]
        return mark === null ? [] : [`${whole.slice(0, whole.length - held.length)}${mark}`]
      })
      .join('\n')
}

/** Whether a line of memory is this statement. */
export const isStatement = (line: string, statement: string): boolean => sameAs(statement)(line)

/** The statement is read once for all lines. */
function sameAs(statement: string): (line: string) => boolean {
  const [key, written] = [statementKey(statement), statement.trim()]
  return (line) => statementKey(line) === key && (key !== '' || line.trim() === written)
}

/** The words with little between them, and no part of a longer word. An underscore is part of one: names of states have it. */
function inOrder(words: readonly string[]): RegExp {
  const each = words.map((word) => word.replace(/[$.]/g, '\\$&').replaceAll("'", "['’]"))
  return new RegExp(`(?<![\\p{L}\\p{N}_])${each.join('[^\\p{L}\\p{N}_$€£%]{1,9}')}(?![\\p{L}\\p{N}_])`, 'giu')
}
