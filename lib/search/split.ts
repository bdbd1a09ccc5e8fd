// Cuts a stretch of text that is too long for one passage into parts of about equal size, at the best place near each
// cut: the end of a line, else of a sentence, else a space, else anywhere but inside a character.

export type Range = { start: number; end: number }

type Limits = {
  target: number
  maximum: number
  /** Keep it in one part up to `maximum`: code. Otherwise up to a quarter more than `target`. */
  whole: boolean
}

/** Parts of `range` in order, each at most `maximum` long and beginning and ending in text. */
export function splitLong(text: string, range: Range, { target, maximum, whole }: Limits): Range[] {
  const parts: Range[] = []
  let start = range.start

  while (start < range.end) {
    const left = range.end - start
    if (left <= (whole ? maximum : target * 1.25)) {
      parts.push({ start, end: range.end })
      break
    }
    const size = left / Math.ceil(left / target)
    const end = cutNear(text, { start: start + Math.floor(size * 0.7), end: start + Math.ceil(size * 1.2) })
    const kept = text.slice(start, end).trimEnd().length
    if (kept > 0) parts.push({ start, end: start + kept })
    start = skipSpace(text, end, range.end)
  }
  return parts
}

/** The last good place to cut in the window; `end` is the first character of the next part. */
function cutNear(text: string, { start, end }: Range): number {
  const window = text.slice(start, end)
  const line = window.lastIndexOf('\n')
  if (line !== -1) return start + line + 1

  const sentence = [...window.matchAll(/[.!?]["')\]]*\s|[。！？]/gu)].at(-1)
  if (sentence) return start + sentence.index + sentence[0].length
  const space = window.search(/\s\S*$/)
  if (space !== -1) return start + space + 1
  return splitsCharacter(text, end) ? end - 1 : end
}

/** Past blank lines, keeping the indentation of the line that follows. */
function skipSpace(text: string, from: number, end: number): number {
  const gap = /^\s*/.exec(text.slice(from, Math.min(end, from + 4000)))?.[0] ?? ''
  const line = gap.lastIndexOf('\n')
  return from + (line === -1 && text[from - 1] === '\n' ? 0 : line === -1 ? gap.length : line + 1)
}

const splitsCharacter = (text: string, at: number) =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
