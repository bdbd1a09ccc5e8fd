// A large message of a source, as much of it as Void reads: its texts are cut where a result would be. For a thread.

import { exceededBound, type JsonBounds } from '../../core/text/bounds.ts'

/**
 * Values and depth of a message. A list of tools or the rows of a table may have thousands; what is deeper than a schema may
 * be is of one tool alone, but not so deep that a parser runs out of its stack.
 */
const messageBounds: JsonBounds = { values: 20_000, depth: 3000 }

/** Characters of one text; a result shows fewer. */
const maxTextLength = 250_000

/** Characters of a message once its texts are cut. */
const maxLength = 2_200_000

export type ShortMessage = { json: string } | { refused: string }

export function shortenMessage({ bytes }: { bytes: Uint8Array }): ShortMessage {
  const refused = refusalOf(bytes)
  if (refused) return { refused }
  const json = JSON.stringify(cutTexts(parse(bytes)))
  return json.length > maxLength ? { refused: 'It sent a message with more than 2 MB of text.' } : { json }
}

/** Why a message is not parsed; `null`: it may be. */
export function refusalOf(bytes: Uint8Array): string | null {
  const exceeded = exceededBound(bytes, messageBounds)
  if (exceeded === 'values') return 'It sent a message with more than 20,000 values.'
  return exceeded && 'It sent a message that is nested deeper than 3,000 levels.'
}

/** `null` for what is no JSON, which no message is either. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}

/** The blocks of a result share what one text may have; a result shows no more of them. */
function cutTexts(message: unknown): unknown {
  const result: unknown = Reflect.get(Object(message), 'result')
  const content: unknown = Reflect.get(Object(result), 'content')
  if (!Array.isArray(content)) return cut(message, { left: Number.POSITIVE_INFINITY })
  const rest = { left: maxTextLength }
  return {
    ...Object(message),
    result: { ...Object(result), content: content.map((block) => cut(block, rest)) },
  }
}

function cut(value: unknown, rest: { left: number }): unknown {
  if (typeof value === 'string') {
    const text = value.slice(0, Math.min(maxTextLength, rest.left))
    rest.left -= text.length
    return text.length < value.length ? text.toWellFormed() : value
  }
  if (Array.isArray(value)) return value.map((item) => cut(item, rest))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner, rest)]))
}
