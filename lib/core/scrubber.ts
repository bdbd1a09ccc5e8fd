// Takes secrets out of texts that others wrote: errors of servers, of programs and of providers, which like to repeat
// what they were given. A secret is found as it is, reversed, in hexadecimal and in base64 at any offset, and all of
// that percent-encoded, quoted as in JSON, quoted-printable, as HTML, or broken by white space.

export type Scrubber = {
  /** From now on it is taken out; one of fewer than four characters is not. */
  add(secret: string): void
  /** The text, with each secret in it replaced by `…`. In linear time. */
  scrub(text: string): string
}

type Pattern = {
  text: string
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
const maxSecrets = 5000
const keyChars = 4
const struckOut = '…'

export function createScrubber(secrets: readonly string[] = []): Scrubber {
  const known = new Set<string>()
  let byKey = new Map<string, Pattern[]>()
  for (const secret of secrets) add(secret)
  return { add, scrub }

  function add(given: string): void {
    const secret = given.trim()
    if (secret.length < minChars || known.has(secret)) return
    if (known.size >= maxSecrets) {
      const [, ...later] = known
      known.clear()
      byKey = new Map()
      for (const one of later) index(one)
    }
    index(secret)
  }

  function index(secret: string): void {
    known.add(secret)
    for (const pattern of patternsOf(secret)) {
      const key = pattern.text.slice(0, keyChars)
      const same = byKey.get(key)
      if (same) same.push(pattern)
      else byKey.set(key, [pattern])
    }
  }

  function scrub(text: string): string {
    if (byKey.size === 0) return text
    const spans = viewsOf(text).flatMap((view) => spansIn(view, byKey))
    return spans.length === 0 ? text : strikeOut(text, spans)
  }
}

function patternsOf(secret: string): Pattern[] {
  const bytes = Buffer.from(secret, 'utf8')
  // What is escaped by bytes is undone by bytes.
  const plain = [secret, bytes.toString('latin1'), secret.replace(/\s+/g, '')]
  const encoded = [bytes.toString('hex'), bytes.toString('hex').toUpperCase()]
  const whole = { isWord: secret.length < minFreeChars, before: false, after: false }
  const patterns = [
    ...[...plain, ...plain.map(reversed)].map((text) => ({ text, ...whole })),
    ...encoded.filter(isLong).map((text) => ({ ...whole, text, isWord: false })),
    ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset)).filter(({ text }) => isLong(text)),
  ]
  return [...new Map(patterns.map((pattern) => [pattern.text, pattern])).values()].filter(
    ({ text }) => text.length >= keyChars,
  )
}

const isLong = (text: string) => text.length >= minEncoded

const reversed = (text: string) => text.split('').reverse().join('')

/** The characters that the bytes alone determine, after so many others. */
function base64At(bytes: Buffer, offset: number): Pattern[] {
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
function viewsOf(text: string): View[] {
  const starts = Uint32Array.from({ length: text.length }, (_, n) => n)
  const whole: View = { text, starts, ends: starts.map((start) => start + 1) }
  const decoded = decoders.flatMap((decoder) => {
    const once = decodeView(whole, decoder)
    const twice = once && decodeView(once, decoder)
    return [once, twice].filter((view) => view !== null)
  })
  const all = [whole, ...decoded]
  return [...all, ...all.map((view) => decodeView(view, spaces)).filter((view) => view !== null)]
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

function spansIn({ text, starts, ends }: View, byKey: ReadonlyMap<string, Pattern[]>): Span[] {
  const spans: Span[] = []
  for (let at = 0; at + keyChars <= text.length; at++) {
    const longest = longestAt(text, at, byKey.get(text.slice(at, at + keyChars)) ?? [])
    if (!longest) continue
    const end = at + longest.text.length
    // Not across white space that was left out.
    const isDigit = (n: number) => base64Digit.test(text[n] ?? '')
    const from = longest.before && isDigit(at - 1) && starts[at] === ends[at - 1] ? at - 1 : at
    const to = longest.after && isDigit(end) && starts[end] === ends[end - 1] ? end + 1 : end
    spans.push([starts[from]!, ends[to - 1]!])
    at = to - 1
  }
  return spans
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

function strikeOut(text: string, spans: readonly Span[]): string {
  const parts: string[] = []
  let from = 0
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (start >= from) parts.push(text.slice(from, start), struckOut)
    from = Math.max(from, end)
  }
  parts.push(text.slice(from))
  return parts.join('')
}
