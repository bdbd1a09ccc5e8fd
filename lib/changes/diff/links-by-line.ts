import type { LinkTarget } from '../../text/link-targets.ts'

/**
 * A function that gives the links which touch the lines `from` up to `to` of the text, counted from 0. A link that
 * reaches over several lines belongs to each of them.
 */
export function linksByLine(
  text: string,
  links: readonly LinkTarget[],
): (from: number, to: number) => LinkTarget[] {
  const starts = lineStarts(text)
  const placed = links.map((link) => ({
    link,
    first: lineAt(starts, link.start),
    last: lineAt(starts, Math.max(link.start, link.end - 1)),
  }))
  const touching = new Map<number, LinkTarget[]>()
  for (const { link, first, last } of placed) {
    for (let line = first; line <= last; line++) {
      const list = touching.get(line)
      if (list) list.push(link)
      else touching.set(line, [link])
    }
  }

  return (from, to) => {
    const found = new Set<LinkTarget>()
    for (let line = from; line < to; line++) for (const link of touching.get(line) ?? []) found.add(link)
    return [...found]
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The last line that begins at or before the position. */
function lineAt(starts: readonly number[], position: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= position) low = middle + 1
    else high = middle
  }
  return low - 1
}
