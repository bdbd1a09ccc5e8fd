/** How much structure a JSON text may have: values in arrays and objects, and how deep they are nested. */
export type JsonBounds = { values: number; depth: number }

const code = (char: string) => char.charCodeAt(0)
const quote = code('"')
const backslash = code('\\')
const comma = code(',')
const opening = new Set([code('{'), code('[')])
const closing = new Set([code('}'), code(']')])

/**
 * The bound that a JSON text in UTF-8 exceeds, or `null`. Reads each byte once and builds nothing, so that a text can be
 * refused before it is parsed. What is no JSON is for the parser to refuse.
 */
export function exceededBound(json: Uint8Array, { values, depth }: JsonBounds): keyof JsonBounds | null {
  let count = 0
  let level = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!
    if (byte === quote) at = endOfString(json, at)
    else if (byte === comma) count += 1
    else if (opening.has(byte)) {
      count += 1
      level += 1
    } else if (closing.has(byte)) level -= 1
    if (count > values) return 'values'
    if (level > depth) return 'depth'
  }
  return null
}

/** The place of the quotation mark that ends a string. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}
