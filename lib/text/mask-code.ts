/**
 * Markdown with its code, fenced and inline, blanked out: the rest stays in place. Takes time in proportion
 * to the text, whatever the text is.
 */
export function maskCode(text: string): string {
  let fence: string | null = null

  return text
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
      if (fence !== null) {
        if (mark && closes(mark, fence)) fence = null
        return blank(line)
      }
      // A fence of backticks has none in what follows it, or it is inline code.
      if (mark && !(mark[1]!.startsWith('`') && mark[2]!.includes('`'))) {
        fence = mark[1]!
        return blank(line)
      }
      return line.includes('`') ? maskInline(line) : line
    })
    .join('\n')
}

const blank = (text: string) => ' '.repeat(text.length)

const closes = ([, mark = '', rest = '']: RegExpExecArray, fence: string) =>
  mark[0] === fence[0] && mark.length >= fence.length && rest.trim() === ''

// Inline code runs from some backticks to the next run of as many.
function maskInline(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map((match) => ({ at: match.index, length: match[0].length }))
  const nextOf = nextOfSameLength(runs)
  let masked = ''
  let position = 0

  runs.forEach(({ at, length }, index) => {
    const end = nextOf[index]
    if (at < position || end === undefined) return
    masked += line.slice(position, at) + blank(line.slice(at, end + length))
    position = end + length
  })
  return masked + line.slice(position)
}

/** For each run, where the next one of its length begins. */
function nextOfSameLength(runs: readonly { at: number; length: number }[]): (number | undefined)[] {
  const seen = new Map<number, number>()
  const next: (number | undefined)[] = []
  for (const { at, length } of runs.toReversed()) {
    next.push(seen.get(length))
    seen.set(length, at)
  }
  return next.reverse()
}
