import { leadingQuote, unquote } from './unquote.ts'

export type NamedText = {
  title: string
  body: string
  /** The name after "under". */
  under: string | null
}

const called =
  /^(?:called|named|titled|with (?:the )?(?:title|name)|entitled|about|on|for|:|-)(?:[:,]? |(?=["“„«]))/i
const bodyFollows =
  /^(?:,? ?(?:and )?(?:with|containing|saying|that says|which says|reading)\b(?: (?:the |this )?(?:text|content|contents|body|words|description|note|following))?:? ?|: ?)/i
const bodyWord =
  /:? (?:and )?(?:with|containing|saying|that says|which says)(?: (?:the |this )?(?:text|content|contents|body|words|description|following))?:? |: |,? with:?$|:$/i
const underFollows =
  /^,? ?(?:under|below|beneath|inside|in|within|as a (?:child|sub-?page) of)(?: the)?(?: page)? (.+)$/i
const underWord = / (?:under|below|beneath|inside|within|as a (?:child|sub-?page) of) (?:the )?(.{1,300})$/i

/** Takes apart `called X with Y`, `X: Y`, `"X" under Z with Y`; `below` are the lines that follow, part of the text. */
export function readNamedText(rest: string, below: string): NamedText {
  const text = rest.replace(called, '')
  const quote = leadingQuote(text)
  const { title, tail } = quote ? { title: quote.quoted, tail: quote.rest } : splitAtBody(text)
  const named = quote ? { title, under: null } : takeUnder(title)
  const { under, body } = readTail(tail)
  return {
    title: quote ? named.title : withCapital(unquote(named.title.replace(/[,:;]$/, ''))),
    body: [unquote(body), below].filter((part) => part.trim() !== '').join('\n\n'),
    under: named.under ?? under,
  }
}

const withCapital = (title: string) => `${title.charAt(0).toUpperCase()}${title.slice(1)}`.trim()

function splitAtBody(text: string): { title: string; tail: string } {
  const at = bodyWord.exec(text.slice(0, 2000))
  return at
    ? { title: text.slice(0, at.index), tail: text.slice(at.index).trimStart() }
    : { title: text, tail: '' }
}

function takeUnder(title: string): { title: string; under: string | null } {
  const match = underWord.exec(title)
  return match ? { title: title.slice(0, match.index), under: match[1]! } : { title, under: null }
}

/** What follows the title: where it goes, what stands in it, in either order when the text is quoted. */
function readTail(tail: string): { under: string | null; body: string } {
  const place = underFollows.exec(tail.slice(0, 3000))
  if (place) {
    const inner = splitAtBody(place[1]!)
    const rest = tail.slice(tail.length - (place[1]!.length - inner.title.length)).trimStart()
    return { under: inner.title.trim(), body: inner.tail ? rest.replace(bodyFollows, '') : '' }
  }
  const body = tail.replace(bodyFollows, '')
  const quote = leadingQuote(body)
  const after = quote ? underFollows.exec(quote.rest.slice(0, 400)) : null
  return quote && after ? { under: after[1]!.trim(), body: quote.quoted } : { under: null, body }
}
