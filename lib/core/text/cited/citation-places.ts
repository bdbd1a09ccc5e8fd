// Where the marks of citations go in an answer: right where the words end that they support, and nowhere where the
// mark would break the Markdown or be broken by it.

export type Place = {
  /** A position in the answer. */
  at: number
  numbers: readonly number[]
  /** The mark cannot be in that line, so it gets a line of its own below. */
  below: boolean
}

/** The number of a citation, and where the words end in the answer that it supports. */
type Cited = { n: number; end: number }

/** The places of all citations of an answer, in order. */
export function placesOf(text: string, citations: readonly Cited[]): Place[] {
  const inks = lastInks(
    text,
    citations.map(({ end }) => end),
  )
  const settled = Map.groupBy(citations, ({ end }) => inks.get(end) ?? 0)
  let line: Line = { end: 0, fence: Infinity }
  return [...settled]
    .filter(([at]) => at > 0)
    .toSorted(([a], [b]) => a - b)
    .map(([at, cited]) => {
      if (at > line.end) line = lineAt(text, at)
      return { at, numbers: [...new Set(cited.map(({ n }) => n))], below: at >= line.fence }
    })
}

/**
 * For each position the end of the last word before it: white space and the bar that closes a row of a table are passed
 * over, once for all positions.
 */
function lastInks(text: string, positions: readonly number[]): Map<number, number> {
  const inks = new Map<number, number>()
  let passed = 0
  let ink = 0
  for (const position of positions.toSorted((a, b) => a - b)) {
    const end = Math.min(position, text.length)
    let at = end
    while (at > passed && /[\s|]/.test(text[at - 1]!)) at -= 1
    if (at > passed) ink = at
    passed = end
    inks.set(position, ink)
  }
  return inks
}

/** Where a line ends, and from where on a mark in it would be in the line of a fence. */
type Line = { end: number; fence: number }

function lineAt(text: string, at: number): Line {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(start, end === -1 ? undefined : end)
  const fence = /^[\s>]*(?:`{3}|~{3})/.exec(line)
  return { end: start + line.length, fence: fence ? start + fence[0].length : Infinity }
}
