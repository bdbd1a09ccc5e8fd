// Takes secrets out of texts that others wrote: errors of servers, of programs and of providers, which like to repeat
// what they were given. A secret is found as it is, reversed, in hexadecimal and in base64 at any offset, two of these
// after another, and all of that percent-encoded, quoted as in JSON, quoted-printable, as HTML, or broken by white space.

export type Scrubber = {
  /**
   * From now on it is taken out; one of fewer than four characters is not. `holder` names what has one secret after the
   * other, such as a source that renews its token: its last ten are known. Default: it is known for good.
   */
  add(secret: string, holder?: string): void
  /** The text, with each secret in it replaced by `…`. In linear time: a longer text is cut to 40,000 characters. */
  scrub(text: string): string
}

type Pattern = {
  text: string
  /** How many times as long the whole is, whose start alone is searched for. */
  stretch: number
  /** A short one is found only as a word of its own. */
  isWord: boolean
  /** Whether the character before or after it, a digit of base64, also holds bits of it. */
  before: boolean
  after: boolean
}

const minChars = 4
/** A shorter one is part of too many words. */
const minFreeChars = 8
/** Of an encoded form. */
const minEncoded = 6
/** Of a longer secret, the start is searched for. */
const maxSearched = 300
const maxOfHolder = 10
const keyChars = 4
const maxText = 40_000
/** So much further is read, for none to be cut in half. */
const margin = 5000
const struckOut = '…'

export function createScrubber(secrets: readonly string[] = []): Scrubber {
  const byHolder = new Map<string, Set<string>>()
  /** How many hold each. */
  const held = new Map<string, number>()
  const byKey = new Map<string, Pattern[]>()
  const mayBegin = new Uint8Array(keyHashes)
  for (const secret of secrets) add(secret)
  return { add, scrub }

  function add(given: string, holder = ''): void {
    const secret = given.trim()
    if (secret.length < minChars) return
    const own = byHolder.get(holder) ?? new Set()
    byHolder.set(holder, own)
    if (!own.delete(secret)) hold(secret)
    own.add(secret)
    const [oldest] = own
    if (holder === '' || own.size <= maxOfHolder || oldest === undefined) return
    own.delete(oldest)
    release(oldest)
  }

  function hold(secret: string): void {
    const holders = held.get(secret) ?? 0
    held.set(secret, holders + 1)
    if (holders > 0) return
    for (const pattern of patternsOf(secret)) {
      const key = pattern.text.slice(0, keyChars)
      mayBegin[hashAt(key, 0)] = 1
      const same = byKey.get(key)
      if (same) same.push(pattern)
      else byKey.set(key, [pattern])
    }
  }

  function release(secret: string): void {
    const holders = held.get(secret) ?? 0
    if (holders > 1) return void held.set(secret, holders - 1)
    held.delete(secret)
    for (const { text, stretch } of patternsOf(secret)) {
      const key = text.slice(0, keyChars)
      const same = byKey.get(key) ?? []
      const at = same.findIndex((pattern) => pattern.text === text && pattern.stretch === stretch)
      if (at >= 0) same.splice(at, 1)
      if (same.length === 0) byKey.delete(key)
    }
  }

  function scrub(text: string): string {
    const isWhole = text.length <= maxText
    const read = isWhole ? text : text.slice(0, maxText + margin)
    const spans: Span[] = []
    const findAt: Find = (view, at) =>
      mayBegin[hashAt(view, at)] ? longestAt(view, at, byKey.get(view.slice(at, at + keyChars)) ?? []) : null
    if (byKey.size > 0) for (const view of viewsOf(read)) addSpans(spans, view, findAt)
    return isWhole ? strikeOut(text, spans) : `${strikeOut(read, spans, maxText).toWellFormed()}${struckOut}`
  }
}

type Find = (text: string, at: number) => Pattern | null

/** Of the next four characters: most texts have no start of a secret. */
const keyHashes = 1 << 16
const hashAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 961 +
    text.charCodeAt(at + 2) * 31 +
    text.charCodeAt(at + 3)) %
  keyHashes

type Form = Pick<Pattern, 'text' | 'isWord' | 'before' | 'after'>

function patternsOf(secret: string): Pattern[] {
  const stretch = Math.max(1, secret.length / maxSearched)
  const start = secret.slice(0, maxSearched)
  const back = reversed(secret.slice(-maxSearched))
  const forms = [...plainForms(start), ...plainForms(back), ...encodedForms(start, back)]
  const patterns = forms.map((form) => ({ ...form, stretch })).filter(({ text }) => text.length >= keyChars)
  return [...new Map(patterns.map((pattern) => [pattern.text, pattern])).values()]
}

function plainForms(secret: string): Form[] {
  // What is escaped by bytes is undone by bytes.
  const texts = [secret, Buffer.from(secret).toString('latin1'), secret.replace(/\s+/g, '')]
  return texts.map((text) => ({ text, isWord: text.length < minFreeChars, before: false, after: false }))
}

/** Of the secret as it is, and of what was made of it before. */
function encodedForms(start: string, back: string): Form[] {
  const quoted = JSON.stringify(start).slice(1, -1)
  const made = [start, back, quoted, encodeURIComponent(start.toWellFormed())]
  const bytes = [...made, Buffer.from(start).toString('base64')].map((text) => Buffer.from(text))
  const forms = bytes.flatMap((one) => [...hexForms(one), ...[0, 1, 2].flatMap((n) => base64At(one, n))])
  const long = forms.filter(({ text }) => text.length >= minEncoded)
  return long.flatMap((form) => [
    form,
    { text: reversed(form.text), isWord: false, before: form.after, after: form.before },
  ])
}

const reversed = (text: string) => text.split('').reverse().join('')

const hexForms = (bytes: Buffer): Form[] =>
  [bytes.toString('hex'), bytes.toString('hex').toUpperCase()].map((text) => ({
    ...{ text, isWord: false, before: false, after: false },
  }))

/** The characters that the bytes alone determine, after so many others. */
function base64At(bytes: Buffer, offset: number): Form[] {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes])
  const ends = { isWord: false, before: offset > 0, after: whole.length % 3 > 0 }
  return [whole.toString('base64'), whole.toString('base64url')].map((text) => ({
    text: text.slice(Math.ceil((offset * 8) / 6), Math.floor((whole.length * 8) / 6)),
    ...ends,
  }))
}

/** A text with escapes undone, and where each of its characters was: from `starts[n]` up to `ends[n]`. */
type View = { text: string; starts: Uint32Array; ends: Uint32Array }

type Span = [start: number, end: number]

type Decoder = { has: RegExp; escapes: RegExp; decode: (escaped: string) => string }

const byCode = (digits: string) => String.fromCharCode(Number.parseInt(digits, 16))

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

const decoders: readonly Decoder[] = [
  {
    has: /%[0-9a-f]{2}|\+/i,
    escapes: /%[0-9a-f]{2}|\+/gi,
    decode: (escaped) => (escaped === '+' ? ' ' : byCode(escaped.slice(1))),
  },
  {
    has: /\\/,
    escapes: /\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[\s\S])/gi,
    decode: (escaped) =>
      escaped.length > 2
        ? byCode(escaped.slice(2))
        : ({ n: '\n', r: '\r', t: '\t' }[escaped[1]!] ?? escaped[1]!),
  },
  {
    has: /=(?:[0-9a-f]{2}|\r?\n)/i,
    escapes: /=(?:[0-9a-f]{2}|\r?\n)/gi,
    decode: (escaped) => (/\n$/.test(escaped) ? '' : byCode(escaped.slice(1))),
  },
  {
    has: /&#?\w{1,8};/,
    escapes: /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos|nbsp);/gi,
    decode: (escaped) => {
      const [, hex, decimal] = /^&#(?:x([0-9a-f]+)|(\d+));$/i.exec(escaped) ?? []
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
      return hex || decimal ? String.fromCharCode(code) : (named[escaped.slice(1, -1).toLowerCase()] ?? '')
    },
  },
]

const spaces: Decoder = { has: /[\s\u200b\u00ad]/, escapes: /[\s\u200b\u00ad]+/g, decode: () => '' }

/** The text, each kind of escape undone once and twice, and all of them without white space. */
function* viewsOf(text: string): Generator<View, void> {
  const starts = Uint32Array.from({ length: text.length }, (_, n) => n)
  const whole: View = { text, starts, ends: starts.map((start) => start + 1) }
  yield* withoutSpaces(whole)
  for (const decoder of decoders) {
    const once = decodeView(whole, decoder)
    const twice = once && decodeView(once, decoder)
    for (const view of [once, twice]) if (view) yield* withoutSpaces(view)
  }
}

function* withoutSpaces(view: View): Generator<View, void> {
  yield view
  const joined = decodeView(view, spaces)
  if (joined) yield joined
}

/** `null`: there is nothing to undo. */
function decodeView(view: View, { has, escapes, decode }: Decoder): View | null {
  if (!has.test(view.text)) return null
  const starts = new Uint32Array(view.text.length)
  const ends = new Uint32Array(view.text.length)
  const parts: string[] = []
  let length = 0
  let from = 0
  const take = (text: string, place: (n: number) => Span) => {
    for (let n = 0; n < text.length; n++) [starts[length + n], ends[length + n]] = place(n)
    length += text.length
    parts.push(text)
  }
  const copy = (to: number) => {
    const start = from
    take(view.text.slice(start, to), (n) => [view.starts[start + n]!, view.ends[start + n]!])
  }
  for (const match of view.text.matchAll(escapes)) {
    copy(match.index)
    from = match.index + match[0].length
    const span: Span = [view.starts[match.index]!, view.ends[from - 1]!]
    take(decode(match[0]), () => span)
  }
  copy(view.text.length)
  return { text: parts.join(''), starts, ends }
}

function addSpans(spans: Span[], { text, starts, ends }: View, findAt: Find): void {
  // Not across white space that was left out.
  const isDigit = (n: number) => base64Digit.test(text[n] ?? '')
  for (let at = 0; at + keyChars <= text.length; at++) {
    const longest = findAt(text, at)
    if (!longest) continue
    const end = Math.min(text.length, at + Math.ceil(longest.text.length * longest.stretch))
    const from = longest.before && isDigit(at - 1) && starts[at] === ends[at - 1] ? at - 1 : at
    const to = longest.after && isDigit(end) && starts[end] === ends[end - 1] ? end + 1 : end
    spans.push([starts[from]!, ends[to - 1]!])
  }
}

const base64Digit = /[\w+/-]/

function longestAt(text: string, at: number, patterns: readonly Pattern[]): Pattern | null {
  let longest: Pattern | null = null
  for (const pattern of patterns) {
    if (pattern.text.length <= (longest?.text.length ?? 0) || !text.startsWith(pattern.text, at)) continue
    if (!pattern.isWord || isWordAt(text, at, pattern.text.length)) longest = pattern
  }
  return longest
}

const isWordAt = (text: string, at: number, length: number) =>
  !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '') && !/[\p{L}\p{N}]/u.test(text[at + length] ?? '')

function strikeOut(text: string, spans: readonly Span[], length = text.length): string {
  if (spans.length === 0) return text.slice(0, length)
  const parts: string[] = []
  let from = 0
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (start >= length) break
    if (start >= from) parts.push(text.slice(from, start), struckOut)
    from = Math.max(from, end)
  }
  parts.push(text.slice(from, length))
  return parts.join('')
}
