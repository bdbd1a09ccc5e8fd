import { type Document, isMap, isScalar, isSeq, type ParsedNode, parseDocument } from 'yaml'

const options = { schema: 'core', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const

/** Characters of YAML that are read. */
const maxLength = 32 * 1024

type ParsedYaml = { document: Document.Parsed; problem: null } | { document: null; problem: string }

/**
 * YAML from outside. What it costs is bounded: its length, no check for unique keys (quadratic), and no conversion of what
 * is nested (a key within a key within a key takes minutes from a few hundred characters, an alias of aliases any amount
 * of memory). `problem`: why it cannot be read. Never throws.
 */
export function parseYaml(yaml: string): ParsedYaml {
  if (yaml.length > maxLength) return failed(`it is longer than ${maxLength} characters`)
  try {
    const document = parseDocument<ParsedNode>(yaml, options)
    return document.errors[0] ? failed(document.errors[0].message) : { document, problem: null }
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

const failed = (problem: string): ParsedYaml => ({ document: null, problem })

const maxDepth = 12

const maxValues = 5000

/**
 * YAML from outside as a value of maps, lists and scalars; of two keys of one name the last. `undefined` for what cannot
 * be read, is too long, nests too deeply, or has keys or aliases that are no plain values. Never throws.
 */
export function readYaml(yaml: string): unknown {
  const { document } = parseYaml(yaml)
  if (document === null) return undefined
  let left = maxValues
  const invalid = Symbol('invalid')
  const convert = (node: unknown, depth: number): unknown => {
    left -= 1
    if (left < 0 || depth > maxDepth) return invalid
    if (node === null || node === undefined) return null
    if (isScalar(node)) return node.value
    if (isSeq(node)) {
      const items = node.items.map((item) => convert(item, depth + 1))
      return items.includes(invalid) ? invalid : items
    }
    if (!isMap(node)) return invalid
    const entries = node.items.map(({ key, value }) =>
      isScalar(key) ? ([String(key.value), convert(value, depth + 1)] as const) : ([''] as const),
    )
    const isValid = entries.every((entry) => entry.length === 2 && entry[1] !== invalid)
    return isValid ? Object.fromEntries(entries as [string, unknown][]) : invalid
  }
  const value = convert(document.contents, 1)
  return value === invalid ? undefined : value
}
