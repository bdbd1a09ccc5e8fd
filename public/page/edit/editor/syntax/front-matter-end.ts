import type { Text } from '@codemirror/state'

const maxLines = 200

/** Where the block of properties at the head ends; 0 when there is none. Markdown would read it as a heading. */
export function frontMatterEnd(doc: Text): number {
  if (doc.line(1).text.trimEnd() !== '---') return 0
  for (let number = 2; number <= Math.min(doc.lines, maxLines); number += 1) {
    const { text, to } = doc.line(number)
    if (text.trimEnd() === '---') return to
  }
  return 0
}
