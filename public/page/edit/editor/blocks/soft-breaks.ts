import type { Range } from '@codemirror/state'
import { Decoration, WidgetType } from '@codemirror/view'
import { el } from '../../../../ui/dom.ts'

class Space extends WidgetType {
  override eq(): boolean {
    return true
  }

  override toDOM(): HTMLElement {
    return el('span', {}, ' ')
  }

  override ignoreEvent(): boolean {
    return false
  }
}

const space = Decoration.replace({ widget: new Space() })

/** The beginning of a block: what follows a line break before it is no more of the same paragraph. */
const begins = /^(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|>|`{3}|~{3}|\||\s*$)/

/** Line breaks that the page reads as spaces, with the marks behind them, as decorations of a block that begins at `from`. */
export function softBreaks(source: string, kind: string, from: number): Range<Decoration>[] {
  const mark = marks[kind]
  if (!mark || (kind !== 'paragraph' && /^[\s>]*(?:`{3}|~{3})/m.test(source))) return []
  const found: Range<Decoration>[] = []
  let at = 0
  const lines = source.split('\n')
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1]
    const end = at + line.length
    at = end + 1
    if (next === undefined || / {2}$|\\$/.test(line)) continue
    const lead = mark.exec(next)![0].length
    const [text, words] = [line.slice(mark.exec(line)![0].length), next.slice(lead)]
    const isCut = kind === 'paragraph' ? words === '' : begins.test(words) || text.trim() === ''
    if (isCut || (kind === 'blockquote' && /^\[!/.test(text))) continue
    found.push(space.range(from + end, from + at + lead))
  }
  return found
}

/** What stands before the words of a line of such a block. */
const marks: Readonly<Record<string, RegExp>> = {
  paragraph: /^[ \t]*/,
  blockquote: /^[ \t]*(?:> ?)*[ \t]*/,
  list: /^[ \t]*/,
}
