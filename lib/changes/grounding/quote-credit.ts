// Whom a text names as the source of a quotation.

const link = /\[\[([^[\]\n]+)\]\]/
const creditStart = /^\s*(?:[—–]|--?\s|\(?(?:source|from)\b:?)/i
const footnotes = /^(?:\s?\[\^[^[\]\n]{1,60}\])+/

/** What a line says is a source, behind its dash; `null` for any other line. */
function creditLine(line: string): string | null {
  const lead = creditStart.exec(line)
  const rest = lead ? line.slice(lead[0].length).trim() : ''
  return rest === '' ? null : sourceIn(rest)
}

/** The lines of a blockquote without the credit that they end with. */
export function splitCredit(content: readonly string[]): { text: string; credit: string | null } {
  const last = content.length > 1 ? creditLine(content.at(-1)!) : null
  if (last !== null) return { text: withoutTrail(content.slice(0, -1).join('\n')), credit: last }
  const body = withoutTrail(content.join('\n'))
  const at = body.lastIndexOf('[[')
  const named = at <= 0 ? null : /^\[\[([^[\]\n]+)\]\][\s).]*$/.exec(body.slice(at))
  return named ? { text: withoutLead(body, at), credit: nameIn(named[1]!) } : { text: body, credit: null }
}

/** The text before footnotes, and before a link behind its last sentence: they are not what is quoted. */
function withoutTrail(text: string): string {
  let rest = text.trimEnd()
  for (;;) {
    const at = rest.lastIndexOf('[')
    const tail = at > 0 && rest[at - 1] !== '[' ? rest.slice(at) : ''
    const isBehind = /[.!?…)("”’—–]$/.test(rest.slice(0, Math.max(0, at)).trimEnd())
    const isLink = isBehind && /^\[[^[\]\n]*\]\([^()\s]*\)[).]?$/.test(tail)
    const isTrail = isLink || /^\[\^[^[\]\n]{1,60}\]$/.test(tail)
    if (!isTrail) return rest
    rest = withoutLead(rest, at)
  }
}

/** The text before a credit, without the bracket, dash or spaces that lead up to it. */
function withoutLead(text: string, at: number): string {
  let end = at
  while (end > 0 && /[\s(!—–-]/.test(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Whom the lines around a blockquote name, and the lines with that: "— [[Lease]]" below, "[[Lease]] says:" above. */
export function creditAround(
  lines: readonly string[],
  from: number,
  to: number,
): { name: string; from: number; to: number } | null {
  const below = lines[to]?.trim() === '' ? to + 1 : to
  const named = lines[below] === undefined ? null : creditLine(lines[below])
  if (named !== null) return { name: named, from, to: below + 1 }
  const above = lines[from - 1]?.trim() === '' ? from - 2 : from - 1
  const lead = lines[above]?.trimEnd() ?? ''
  const name = lead.endsWith(':') ? link.exec(lead)?.[1] : undefined
  return name === undefined ? null : { name: nameIn(name), from: above, to }
}

const emptyLine = /\n\s*\n/

/** The link next to the words in their paragraph, behind them first: “…” ([[Lease]]), or: as [[Lease]] says, “…”. */
export function creditBeside(before: string, after: string): string | null {
  const behind = /^[\s.,;:!?*_]{0,8}[(—–-]{0,4}\s{0,8}(?:[\p{L}’' ]{0,30}\s)?!?\[\[([^[\]\n]+)\]\]/u.exec(
    after.split(emptyLine)[0]!.replace(footnotes, ''),
  )
  if (behind) return nameIn(behind[1]!)
  const sentence = before
    .split(emptyLine)
    .at(-1)!
    .split(/[.!?]\s/)
    .at(-1)!
  const last = [...sentence.matchAll(new RegExp(link, 'g'))].at(-1)
  return last ? nameIn(last[1]!) : null
}

/** What a wikilink leads to, without its heading and label. */
const nameIn = (target: string): string => target.split(/[|#]/)[0]!.trim()

function sourceIn(text: string): string {
  const linked = link.exec(text)?.[1]
  return linked === undefined
    ? text
        .replace(/[*_)"”]+/g, '')
        .split(/[,;(]/)[0]!
        .trim()
    : nameIn(linked)
}
