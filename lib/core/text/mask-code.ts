/**
 * Markdown with its code, fenced and inline, blanked out: the rest stays in place. Takes time in proportion
 * to the text, whatever the text is.
 */
export function maskCode(text: string): string {
  let fence: string | null = null

  return text
    .split('\n')
    .map((line) => {
      const mark = fenceMark.exec(line)
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

const fenceMark = /^ {0,3}(`{3,}|~{3,})(.*)$/

const blank = (text: string) => ' '.repeat(text.length)

const closes = ([, mark = '', rest = '']: RegExpExecArray, fence: string) =>
  mark[0] === fence[0] && mark.length >= fence.length && rest.trim() === ''

// Inline code runs from some backticks to the next run of as many.
function maskInline(line: string): string {
  const runs = runsOf(line)
  const nextOf = nextOfSameLength(runs)
  let masked = ''
  let position = 0

  for (const [index, { at, length }] of runs.entries()) {
    const end = nextOf[index]
    if (at < position || end === undefined) continue
    masked += line.slice(position, at) + blank(line.slice(at, end + length))
    position = end + length
  }
  return masked + line.slice(position)
}

type Run = { at: number; length: number }

function runsOf(line: string): Run[] {
  const runs: Run[] = []
  for (let at = line.indexOf('`'); at >= 0; ) {
    let end = at + 1
    while (line[end] === '`') end++
    runs.push({ at, length: end - at })
    at = line.indexOf('`', end)
  }
  return runs
}

/** For each run, where the next one of its length begins. */
function nextOfSameLength(runs: readonly Run[]): (number | undefined)[] {
  const seen = new Map<number, number>()
  const next = new Array<number | undefined>(runs.length)
  for (let index = runs.length - 1; index >= 0; index--) {
    const { at, length } = runs[index]!
    next[index] = seen.get(length)
    seen.set(length, at)
  }
  return next
}
