// Which lines of a message are not its own: history that it quotes, what it forwards, its signature. They are marked, never
// dropped. Takes time in proportion to the lines: it looks a few lines back and ahead at most.

import {
  beginsForward,
  beginsOriginal,
  endsForward,
  endsIntroduction,
  type Field,
  isSentFrom,
  readField,
  saysWrote,
} from './quote-marks.ts'

export type BodyLine = {
  /** As it is stored. */
  markdown: string
  /** As it is read, without quote marks. */
  plain: string
  /** Number of quote marks before it. */
  depth: number
  /** What the structure of the message says begins or ends here. */
  mark: 'signature' | 'end of signature' | 'forward' | null
  /** Markdown of its own, with its line breaks; else the next line is a line of its own, too. */
  isWhole?: boolean
}

/** Lines from 0; `to` is exclusive. `sender`: who wrote what is forwarded, if it says so. */
export type Run = { kind: 'quote' | 'forward' | 'signature'; from: number; to: number; sender: string }

type Reading = {
  lines: readonly BodyLine[]
  /** Whether the subject says that the message forwards one. */
  isForward: boolean
  /** Whether the message has said something of its own so far. */
  hasOwn: boolean
  /** The end of the last run. */
  from: number
  /** The last line with a quote mark; -1: there is none. */
  lastQuoted: number
}

/** In order, without overlap. What a message quotes is what it says where it says nothing else: then it has no quotes. */
export function findFolds(lines: readonly BodyLine[], isForward: boolean): Run[] {
  const runs = findRuns(lines, isForward)
  return saysSomething(lines, runs) ? runs : runs.filter(({ kind }) => kind !== 'quote')
}

/** The same of a part of a message, which may quote and say nothing else. */
export function findRuns(lines: readonly BodyLine[], isForward: boolean): Run[] {
  const reading: Reading = {
    lines,
    isForward,
    hasOwn: false,
    from: 0,
    lastQuoted: lines.findLastIndex(({ depth }) => depth > 0),
  }
  const runs: Run[] = []
  for (let at = 0; at < lines.length; ) {
    const run = runAt(reading, at)
    if (run) {
      runs.push(run)
      reading.from = run.to
      at = run.to
      reading.hasOwn ||= run.kind === 'forward'
    } else {
      reading.hasOwn ||= isSaid(lines[at]!)
      at += 1
    }
  }
  return runs
}

/** Whether anything is left beside what it quotes and signs with. */
function saysSomething(lines: readonly BodyLine[], runs: readonly Run[]): boolean {
  let at = 0
  for (const { kind, from, to } of runs) {
    if (kind === 'forward' || lines.slice(at, from).some(isSaid)) return true
    at = to
  }
  return lines.slice(at).some(isSaid)
}

const isSaid = ({ plain }: BodyLine): boolean => /[\p{L}\p{N}]/u.test(plain)

const isBlank = (line: BodyLine | undefined): boolean => line !== undefined && line.plain === ''

function runAt(reading: Reading, at: number): Run | null {
  const { lines } = reading
  const line = lines[at]!
  const end = lines.length
  if (line.mark === 'signature') return signatureAt(reading, at)
  if (line.depth > 0) return quoteAt(reading, at)
  if (line.mark === 'forward' || beginsForward(line.plain)) {
    const to = endOfForward(lines, at)
    return { kind: 'forward', from: at, to, sender: senderIn(lines, at, to) }
  }
  if (beginsOriginal(line.plain)) return historyAt(reading, at, end)
  if (headerBlockEnd(lines, at) !== null) return historyAt(reading, separatorBefore(reading, at), end)
  const introduced = endOfIntroduction(lines, at)
  if (introduced !== null && isDatedMessage(lines, at, introduced)) {
    // A program that marks quotes does so in all of the message.
    return reading.lastQuoted > at ? null : { kind: 'quote', from: at, to: end, sender: '' }
  }
  return isSentFrom(line.plain) ? telephoneAt(reading, at) : null
}

/** The message that is answered, to the end; or what is forwarded, where that is what the message is for. */
function historyAt({ lines, isForward, hasOwn }: Reading, from: number, to: number): Run {
  const forward = isForward || !hasOwn || isDigest(lines, from)
  return {
    kind: forward ? 'forward' : 'quote',
    from,
    to,
    sender: forward ? senderIn(lines, from, to) : '',
  }
}

/** A digest of a list separates its messages by a line of dashes and numbers them. */
function isDigest(lines: readonly BodyLine[], at: number): boolean {
  const before = lines.slice(Math.max(0, at - 4), at + 2)
  return before.some(
    ({ plain }) =>
      /^(?:message|nachricht|messaggio|mensaje)\s?:\s?\d+$/i.test(plain) || /^-{30}$|^-{70}$/.test(plain),
  )
}

const maxBlankLines = 2

/** Quoted lines with the line that introduces them; blank lines between two of them are theirs. */
function quoteAt(reading: Reading, at: number): Run {
  const { lines } = reading
  let to = at + 1
  for (let next = to; next < lines.length && next - to <= maxBlankLines; next++) {
    if (lines[next]!.depth > 0) to = next + 1
    else if (!isBlank(lines[next])) break
  }
  return { kind: 'quote', from: introductionBefore(reading, at) ?? at, to, sender: '' }
}

/** Lines that a mail program breaks “On … wrote:” into, and characters of it. */
const maxIntroduction = 4
const maxIntroductionLength = 500

/** Where “On Tuesday, Anna <anna@example.org> wrote:” begins that stands before a quote; null: nothing does. */
function introductionBefore({ lines, from }: Reading, at: number): number | null {
  let last = at - 1
  while (last >= from && isBlank(lines[last]) && at - last <= maxBlankLines) last--
  for (let first = last; first >= Math.max(from, last - maxIntroduction + 1); first--) {
    if (lines[first]!.depth > 0 || isBlank(lines[first])) return null
    const text = joined(lines, first, last + 1)
    if (isIntroduction(text) && saysWrote(text) && namesTime(text)) return first
    const begins = first === from || isBlank(lines[first - 1]) || lines[first - 1]!.depth > 0
    if (begins && isIntroduction(text)) return first
  }
  const single = lines[last]
  return single && last >= from && saysWrote(single.plain) && isIntroduction(single.plain) ? last : null
}

/** Of a text right before a quote: it ends in a colon, and says who wrote it, or when. */
const isIntroduction = (text: string): boolean =>
  text.length <= maxIntroductionLength &&
  endsIntroduction(text) &&
  (saysWrote(text) || (/\d/.test(text) && /[@,.:]/.test(text.slice(0, -1))))

const joined = (lines: readonly BodyLine[], from: number, to: number): string =>
  lines
    .slice(from, to)
    .map(({ plain }) => plain)
    .join(' ')

/** The line behind the colon that ends a paragraph of at most four lines; null: it ends in none. */
function endOfIntroduction(lines: readonly BodyLine[], at: number): number | null {
  for (let end = at; end < Math.min(lines.length, at + maxIntroduction); end++) {
    const { plain, depth } = lines[end]!
    if (plain === '' || depth > 0) return null
    if (endsIntroduction(plain)) return end + 1
  }
  return null
}

/**
 * Whether it says who wrote at what time, as only mail programs do: what follows is not marked as quoted. Below a line of the
 * message itself, it says all of that.
 */
function isDatedMessage(lines: readonly BodyLine[], at: number, end: number): boolean {
  if (at + 1 < end && isDatedMessage(lines, at + 1, end)) return false
  const text = joined(lines, at, end)
  if (text.length > maxIntroductionLength || !/\d/.test(text)) return false
  const who =
    /<[^<>\s]{1,100}@[^<>\s]{1,200}>|\[mailto:|\([^()\s]{1,100}@[^()\s]{1,200}\)/i.test(text) ||
    (/[^\s@]@[^\s@]{2}/.test(text) && namesDay.test(text))
  const told = [saysWrote(text), who, namesTime(text)].filter(Boolean).length
  const isApart = at === 0 || isBlank(lines[at - 1]) || isRule(lines[at - 1]!)
  return told >= (isApart ? 2 : 3)
}

const namesDay = /(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2}/

const namesTime = (text: string): boolean => /\d{1,2}[:.h]\d{2}/.test(text) && namesDay.test(text)

const nextSaid = (lines: readonly BodyLine[], from: number): BodyLine | undefined =>
  lines.slice(from, from + maxBlankLines + 2).find((line) => !isBlank(line))

/** Lines of a header block, blank ones and continued ones included. */
const maxHeaderLines = 24

/** Where the headers end that a mail program puts above a message; null: none begin here. */
function headerBlockEnd(lines: readonly BodyLine[], at: number): number | null {
  const first = readField(lines[at]!.plain)
  if (!first || first.field === 'other' || first.field === 'cc') return null
  const { depth } = lines[at]!
  const fields = new Set<Field>()
  let [sender, date] = ['', '']
  let end = at
  let others = 0
  for (let next = at; next < Math.min(lines.length, at + maxHeaderLines); next++) {
    const line = lines[next]!
    const field = line.depth === depth ? readField(line.plain) : null
    // A label that two fields share is that of the one that is missing.
    if (field) {
      if (field.field === 'from') sender += field.value
      if (field.field === 'date') date += field.value
      fields.add(fields.has(field.field) && field.field === 'from' ? 'to' : field.field)
      end = next + 1
      others = 0
    } else if (++others > (isBlank(line) ? 1 : 3)) break
    else if (line.depth !== depth) break
  }
  const has = (...all: Field[]) => all.filter((field) => fields.has(field)).length
  if (!fields.has('from')) return null
  const isMail = fields.has('subject') || sender.includes('@') || namesTime(date)
  return isMail && has('subject', 'date', 'to') >= 2 ? end : null
}

/** A rule or a line of underscores above a header block belongs to it. */
function separatorBefore({ lines, from }: Reading, at: number): number {
  let first = at
  while (first > from && at - first < 3 && (isBlank(lines[first - 1]) || isRule(lines[first - 1]!))) first--
  while (first < at && isBlank(lines[first])) first++
  return first
}

const isRule = ({ plain }: BodyLine): boolean => /^[-_=*]{3,}$/.test(plain)

function endOfForward(lines: readonly BodyLine[], at: number): number {
  for (let next = at + 1; next < lines.length; next++) if (endsForward(lines[next]!.plain)) return next + 1
  return lines.length
}

/** Who wrote what is forwarded, by the headers above it. */
function senderIn(lines: readonly BodyLine[], from: number, to: number): string {
  for (const { plain } of lines.slice(from, Math.min(to, from + 15))) {
    const field = readField(plain)
    if (field?.field === 'from') return field.value.replace(/\s+/g, ' ').slice(0, 200).toWellFormed()
  }
  return ''
}

/** From the line above a signature to what the structure says is its end, or to what is quoted below it. */
function signatureAt({ lines }: Reading, at: number): Run {
  let to = at + 1
  while (to < lines.length && lines[to - 1]!.mark !== 'end of signature' && !endsSignature(lines, to)) to++
  return { kind: 'signature', from: at, to, sender: '' }
}

function endsSignature(lines: readonly BodyLine[], at: number): boolean {
  const { plain, depth, mark } = lines[at]!
  if (depth > 0 || mark === 'forward' || mark === 'signature') return true
  if (beginsForward(plain) || beginsOriginal(plain) || headerBlockEnd(lines, at) !== null) return true
  const introduced = endOfIntroduction(lines, at)
  if (introduced === null) return false
  return (
    isDatedMessage(lines, at, introduced) ||
    ((nextSaid(lines, introduced)?.depth ?? 0) > 0 && isIntroduction(joined(lines, at, introduced)))
  )
}

/** “Sent from my telephone”, as the last thing that the message says. */
function telephoneAt({ lines }: Reading, at: number): Run | null {
  if (at > 0 && !isBlank(lines[at - 1]) && at < lines.length - 1 && !isBlank(lines[at + 1])) return null
  let next = at + 1
  while (
    next < lines.length &&
    next - at <= maxBlankLines + 1 &&
    (isBlank(lines[next]) || isRule(lines[next]!))
  )
    next++
  const isLast = next >= lines.length || endsSignature(lines, next)
  return isLast ? { kind: 'signature', from: at, to: at + 1, sender: '' } : null
}
