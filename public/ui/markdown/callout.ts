// Obsidian's callouts: a quotation that begins with `[!note] Title`, `[!note]-` folded, `[!note]+` unfolded.

import type { Token, Tokens } from 'marked'

export type Callout = {
  kind: string
  tone: 'note' | 'good' | 'warn' | 'bad' | 'quote'
  /** Its kind, where it has no title of its own. */
  name: string
  title: Token[]
  body: Token[]
  fold: 'none' | 'open' | 'closed'
}

const tones: Record<string, Callout['tone']> = Object.fromEntries(
  Object.entries({
    good: 'tip hint important success check done',
    warn: 'question help faq warning caution attention',
    bad: 'failure fail missing danger error bug',
    quote: 'example quote cite',
  }).flatMap(([tone, kinds]) => kinds.split(' ').map((kind) => [kind, tone as Callout['tone']])),
)
/** How a kind of callout is drawn. */
export const toneOf = (kind: string): Callout['tone'] => tones[kind.toLowerCase()] ?? 'note'

/** Behind a bar stand looks for the box, which Obsidian's themes define. */
const opening = /^\[!([\w-]{1,40})(?:\|[^[\]\n]{0,100})?\]([+-]?)[^\S\n]*/

/** What a quotation is as a callout, or null where it is none. */
export function calloutOf({ tokens }: Tokens.Blockquote): Callout | null {
  const [first, ...others] = tokens
  const line = first?.type === 'paragraph' ? (first.tokens ?? []) : []
  const match = line[0]?.type === 'text' ? opening.exec(line[0].raw) : null
  if (!first || !match) return null

  const [marker, kind = '', sign] = match
  const [title, rest] = splitLine([cut(line[0]!, marker.length), ...line.slice(1)])
  return {
    kind: kind.toLowerCase(),
    tone: toneOf(kind),
    name: `${kind[0]!.toUpperCase()}${kind.slice(1).toLowerCase()}`,
    title,
    body: rest.length > 0 ? [{ ...first, tokens: rest } as Token, ...others] : others,
    fold: sign === '-' ? 'closed' : sign === '+' ? 'open' : 'none',
  }
}

/** Inline tokens up to the end of their first line, and those behind it. */
function splitLine(tokens: readonly Token[]): [Token[], Token[]] {
  const at = tokens.findIndex(({ type, raw }) => type === 'br' || (type === 'text' && raw.includes('\n')))
  const last = tokens[at]
  if (!last) return [withoutEmpty(tokens), []]
  const end = last.type === 'br' ? last.raw.length : last.raw.indexOf('\n')
  const head =
    last.type === 'br' ? [] : [{ ...last, raw: last.raw.slice(0, end), text: last.raw.slice(0, end) }]
  const tail = last.type === 'br' ? [] : [cut(last, end + 1)]
  return [withoutEmpty([...tokens.slice(0, at), ...head]), withoutEmpty([...tail, ...tokens.slice(at + 1)])]
}

const cut = (token: Token, from: number): Token =>
  ({ ...token, raw: token.raw.slice(from), text: token.raw.slice(from) }) as Token

const withoutEmpty = (tokens: readonly Token[]) => tokens.filter(({ raw }) => raw !== '')
