// The expressions of `.base` files: literals, names, members, calls, comparisons, `!`, `&&`, `||`. What they mean is
// filter-of.ts; whatever is not of this form is `null` and never guessed.

export type Expression =
  | { type: 'value'; value: string | number | boolean | null }
  | { type: 'name'; name: string }
  | { type: 'member'; of: Expression; name: string }
  | { type: 'call'; of: Expression | null; name: string; args: Expression[] }
  | { type: 'not'; of: Expression }
  | { type: 'binary'; op: string; left: Expression; right: Expression }

const maxLength = 2000
const maxTokens = 400
const maxDepth = 40

type Token = { kind: 'number' | 'string' | 'name' | 'sign'; text: string }

/** `null` for what cannot be read. */
export function parseExpression(text: string): Expression | null {
  const tokens = tokenize(text)
  if (!tokens) return null
  try {
    return parseAll(createReader(tokens))
  } catch (error) {
    if (error instanceof NotReadable) return null
    throw error
  }
}

class NotReadable extends Error {}

const token =
  /\s*(?:(\d+(?:\.\d+)?)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([\p{L}_$][\p{L}\p{N}\p{M}_$]*)|(&&|\|\||==|!=|<=|>=|[!<>().,[\]-]))/uy

function tokenize(text: string): Token[] | null {
  if (text.length > maxLength) return null
  const tokens: Token[] = []
  const end = text.trimEnd().length
  token.lastIndex = 0
  while (token.lastIndex < end) {
    const found = token.exec(text)
    if (!found || tokens.length === maxTokens) return null
    const [, number, double, single, name, sign] = found
    if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (double !== undefined || single !== undefined)
      tokens.push({ kind: 'string', text: (double ?? single ?? '').replace(/\\(.)/g, '$1') })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else tokens.push({ kind: 'sign', text: sign! })
  }
  return tokens
}

const comparisons = ['==', '!=', '<=', '>=', '<', '>']

/** Reads tokens one after the other. */
function createReader(tokens: readonly Token[]) {
  let at = 0
  let depth = 0
  const isSign = (...signs: string[]) => tokens[at]?.kind === 'sign' && signs.includes(tokens[at]!.text)
  const take = () => tokens[at++] ?? fail()
  return {
    isSign,
    take,
    expect: (sign: string) => (isSign(sign) ? take() : fail()),
    isAtEnd: () => at === tokens.length,
    /** A part within another. */
    within<Result>(read: () => Result): Result {
      depth += 1
      if (depth > maxDepth) fail()
      const result = read()
      depth -= 1
      return result
    },
  }
}

type Reader = ReturnType<typeof createReader>

function parseAll(reader: Reader): Expression {
  const expression = either(reader)
  return reader.isAtEnd() ? expression : fail()
}

function either(reader: Reader): Expression {
  return reader.within(() => {
    let left = both(reader)
    while (reader.isSign('||')) left = { type: 'binary', op: reader.take().text, left, right: both(reader) }
    return left
  })
}

function both(reader: Reader): Expression {
  let left = comparison(reader)
  while (reader.isSign('&&'))
    left = { type: 'binary', op: reader.take().text, left, right: comparison(reader) }
  return left
}

function comparison(reader: Reader): Expression {
  const left = prefixed(reader)
  if (!reader.isSign(...comparisons)) return left
  return { type: 'binary', op: reader.take().text, left, right: prefixed(reader) }
}

function prefixed(reader: Reader): Expression {
  if (!reader.isSign('!')) return members(reader, primary(reader))
  reader.take()
  return { type: 'not', of: reader.within(() => prefixed(reader)) }
}

function members(reader: Reader, first: Expression): Expression {
  let of = first
  for (;;) {
    if (reader.isSign('.')) {
      reader.take()
      const name = nextOf(reader, 'name')
      of = reader.isSign('(') ? { type: 'call', of, name, args: args(reader) } : { type: 'member', of, name }
    } else if (reader.isSign('[')) {
      reader.take()
      of = { type: 'member', of, name: nextOf(reader, 'string') }
      reader.expect(']')
    } else return of
  }
}

function nextOf(reader: Reader, wanted: Token['kind']): string {
  const { kind, text } = reader.take()
  return kind === wanted ? text : fail()
}

function primary(reader: Reader): Expression {
  if (reader.isSign('(')) {
    reader.take()
    const inner = either(reader)
    reader.expect(')')
    return inner
  }
  const isNegative = reader.isSign('-')
  if (isNegative) reader.take()
  const { kind, text } = reader.take()
  if (kind === 'number') return { type: 'value', value: Number(text) * (isNegative ? -1 : 1) }
  if (isNegative || kind === 'sign') return fail()
  if (kind === 'string') return { type: 'value', value: text }
  if (reader.isSign('(')) return { type: 'call', of: null, name: text, args: args(reader) }
  if (text === 'true' || text === 'false') return { type: 'value', value: text === 'true' }
  return text === 'null' ? { type: 'value', value: null } : { type: 'name', name: text }
}

function args(reader: Reader): Expression[] {
  reader.expect('(')
  const found: Expression[] = []
  while (!reader.isSign(')')) {
    if (found.length > 0) reader.expect(',')
    found.push(either(reader))
  }
  reader.take()
  return found
}

function fail(): never {
  throw new NotReadable()
}
