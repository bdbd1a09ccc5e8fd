/** A source that the text names: its number, and the lines of it; `null`: the whole. */
export type MarkedSource = { number: number; from: number | null; to: number | null }

/** A mark in an answer: where it stood in the text without marks, and what it names. */
export type Mark = { at: number; sources: MarkedSource[] }

export type MarkFilter = {
  /** The text that can be shown by now, without marks. */
  push(text: string): string
  /** The rest of it. */
  end(): string
  marks(): readonly Mark[]
}

/** Longest mark, so that a bracket that is none is held back only that long. */
const maxMark = 60
/** Spaces that are held back; more are the answer's own. */
const maxSpaces = 60

// `[2]`, `[2:14]`, `[2:14-16]`, `[2:14, 3:1-2]`, also with a dash of another kind, in lenticular brackets, and with
// `source`, `line`, or `^` before a number.
const one = String.raw`\^?(?:sources?[ \t]{0,2})?(\d{1,4})(?:[ \t]{0,2}:[ \t]{0,2}(?:lines?[ \t]{0,2})?(\d{1,6})(?:[ \t]{0,2}[-–—][ \t]{0,2}(?:\d{1,4}:)?(\d{1,6}))?)?`
const item = new RegExp(one, 'gi')
const bare = one.replaceAll('(\\d', '(?:\\d')
const whole = new RegExp(
  String.raw`^[[【][ \t]{0,2}${bare}(?:[ \t]{0,2}[,;][ \t]{0,2}(?:${bare}|\d{1,6}(?:[-–—]\d{1,6})?)){0,7}[ \t]{0,2}[\]】]$`,
  'i',
)

/**
 * Takes the marks of sources out of an answer that streams in pieces cut anywhere. A bracket is a mark where all of its
 * numbers are sources (`has`); everything else, code included, stays as it is written.
 */
export function filterMarks(has: (number: number) => boolean): MarkFilter {
  const marks: Mark[] = []
  let held = ''
  let length = 0
  let last = ''

  function release(text: string): string {
    length += text.length
    if (text !== '') last = text.slice(-1)
    return text
  }

  /** Shows what stands before `kept`; the space before a mark goes with it, so it is kept, too. */
  function showBefore(text: string, kept: string): string {
    const spaces = Math.min(text.length - text.trimEnd().length, maxSpaces)
    const shown = text.slice(0, text.length - spaces)
    held = text.slice(shown.length) + kept
    return release(shown)
  }

  function push(text: string): string {
    held += text
    let out = ''
    for (;;) {
      const open = held.search(/[[【]/)
      if (open === -1) return out + showBefore(held, '')
      const before = held.slice(0, open)
      const rest = held.slice(open)
      const close = rest.slice(0, maxMark).search(/[\]】]/)
      const isOpen = close === -1 && rest.length < maxMark && /^.[^\n[【]*$/.test(rest)
      const sources = close === -1 ? [] : readMark(rest.slice(0, close + 1), has)
      const after = rest.slice(close + 1)
      // `[1](address)` is a link, so what follows a mark has to be known.
      if (isOpen || (sources.length > 0 && after === '')) return out + showBefore(before, rest)
      if (sources.length > 0 && !isCode(before, after, sources)) {
        out += showBefore(before, '')
        addMark(sources)
        held = after
      } else {
        out += release(before + rest.slice(0, 1))
        held = rest.slice(1)
      }
    }
  }

  /** Whether a bracket is a link, a footnote's text, or the index of a list in code. */
  function isCode(before: string, after: string, sources: readonly MarkedSource[]): boolean {
    if (/^[(:]/.test(after)) return true
    const isIndex = /[\w)\]]$/.test(before === '' ? last : before)
    return isIndex && sources.some(({ from }) => from === null)
  }

  function addMark(sources: MarkedSource[]): void {
    const known = marks.at(-1)
    if (known?.at === length) known.sources.push(...sources)
    else marks.push({ at: length, sources })
  }

  return {
    push,
    end() {
      // Any character that makes no link of it: what follows a mark at the very end is known then.
      const out = push('\0') + held
      held = ''
      return out.replace(/\0$/, '')
    },
    marks: () => marks,
  }
}

/** The sources that a bracket names; none where one of its numbers is no source, or it says anything else. */
function readMark(bracket: string, has: (number: number) => boolean): MarkedSource[] {
  if (!whole.test(bracket)) return []
  const sources: MarkedSource[] = []
  for (const part of bracket.slice(1, -1).split(/[,;]/)) {
    const [, number, from, to] = [...part.matchAll(item)][0] ?? []
    const last = sources.at(-1)
    // `[2:14, 16]`: more lines of the same source.
    if (last?.from && number !== undefined && from === undefined) {
      const [start, end = start] = part.split(/[-–—]/).map(Number)
      sources.push({ number: last.number, from: start ?? null, to: end ?? null })
      continue
    }
    if (number === undefined || !has(Number(number))) return []
    const first = from === undefined ? null : Number(from)
    sources.push({ number: Number(number), from: first, to: to === undefined ? first : Number(to) })
  }
  return sources
}
