type Kind = { open: string; close: string }

const kinds: readonly Kind[] = [
  { open: '“', close: '”' },
  { open: '„', close: '“”' },
  { open: '«', close: '»' },
  { open: '»', close: '«' },
  { open: '‹', close: '›' },
  { open: '›', close: '‹' },
  { open: '‘', close: '’' },
  { open: '「', close: '」' },
  { open: '『', close: '』' },
  { open: '"', close: '"' },
]
const marks = new Set(kinds.flatMap(({ open, close }) => [open, ...close]))

/** Where text stands between quotation marks, from 0, the marks included; spans may lie within each other. */
export function findMarkedSpans(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  const opened = new Map<Kind, number>()
  for (let at = 0; at < text.length; at++) {
    const mark = text[at]!
    if (!marks.has(mark)) continue
    const closed = [...opened.keys()].filter(({ close }) => close.includes(mark) && canClose(text, at))
    for (const kind of closed) {
      spans.push({ start: opened.get(kind)!, end: at + 1 })
      opened.delete(kind)
    }
    if (closed.length > 0) continue
    for (const kind of kinds) if (kind.open === mark && canOpen(text, at)) opened.set(kind, at)
  }
  return spans
}

/** A straight mark may also be inches, and a closing one an apostrophe. */
function canOpen(text: string, at: number): boolean {
  if (text[at] === '‘') return !isLetter(text[at - 1])
  if (text[at] !== '"') return true
  return isEdge(text[at - 1], '([{—–-*_~>:=|“‘') && !isSpace(text[at + 1])
}

function canClose(text: string, at: number): boolean {
  if (text[at] === '’') return !isLetter(text[at + 1])
  if (text[at] !== '"') return true
  return isEdge(text[at + 1], '.,;:!?)]}—–-*_~<[|”’') && !isSpace(text[at - 1])
}

const isEdge = (sign: string | undefined, others: string) =>
  sign === undefined || isSpace(sign) || others.includes(sign)
const isSpace = (sign: string | undefined) => sign === undefined || /\s/.test(sign)
const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)
