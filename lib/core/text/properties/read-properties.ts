// The properties in the front matter of a text, as plain values and lists of them; and YAML from outside, read within
// bounds.

import { type Document, isMap, isScalar, isSeq, type ParsedNode, parseDocument } from 'yaml'
import { splitFrontMatter } from '../markdown.ts'

type Scalar = string | number | boolean

type ReadProperties = {
  /** Those with one value or a list of values; nested values are left out. */
  properties: Record<string, Scalar | Scalar[] | null>
  /** Why the YAML could not be read; there are no properties then. */
  problem: string | null
}

/** Reads the YAML of a front matter block. Never throws. */
export function readProperties(yaml: string): ReadProperties {
  const { pairs, problem } = parse(yaml)
  const properties: [string, Scalar | Scalar[] | null][] = []
  for (const { name, value } of pairs) {
    if (name === null) continue
    if (isSeq(value)) properties.push([name, value.items.map(scalarOf).filter((item) => item !== null)])
    else if (value === null || isScalar(value)) properties.push([name, scalarOf(value)])
  }
  return { properties: Object.fromEntries(properties), problem }
}

export type PropertyValue = Scalar | Scalar[] | null

/** The outermost pairs with one value or a list of values, in their order. A link that nobody has quoted is a text. */
export function propertyValues(yaml: string): { name: string; value: PropertyValue }[] {
  return parse(yaml).pairs.flatMap((pair) => {
    const value = plainValue(pair, yaml)
    return pair.name === null || value === undefined ? [] : [{ name: pair.name, value }]
  })
}

type ListedProperty = {
  name: string
  /** As they are written, without quotes. */
  values: string[]
  /** Undefined for what is nested, or no property. */
  value: PropertyValue | undefined
}

/** The properties for showing; what cannot be read is one without a name. */
export function listProperties(yaml: string): ListedProperty[] {
  const { pairs, problem } = parse(yaml)
  if (problem !== null) return [{ name: '', values: [yaml.trim()], value: undefined }]
  return pairs.map((pair) => ({
    name: pair.name ?? '',
    values: pair.value ? valuesOf(pair.value, yaml) : [],
    value: pair.name === null ? undefined : plainValue(pair, yaml),
  }))
}

/** Undefined for what is nested. */
function plainValue({ value }: ParsedPair, yaml: string): PropertyValue | undefined {
  if (value === null || isScalar(value)) return scalarOf(value)
  if (!isSeq(value)) return undefined
  if (isBareLink(value, yaml)) return asWritten(value, yaml)
  const items = value.items.map((item) => (isBareLink(item, yaml) ? asWritten(item, yaml) : scalarOf(item)))
  return items.filter((item) => item !== null)
}

/** The names under `alias` or `aliases`, whatever their case: a list, or one string that commas part, as in old vaults. */
export function aliasesOf(properties: ReadProperties['properties']): string[] {
  return Object.entries(properties)
    .filter(([name]) => /^alias(?:es)?$/i.test(name))
    .flatMap(([, value]) => (typeof value === 'string' ? value.split(',') : value))
    .filter((alias) => typeof alias === 'string' || typeof alias === 'number')
    .map((alias) => String(alias).trim())
    .filter((alias) => alias !== '')
}

/** A text with one more alias in its front matter; as it was where it has that one, or front matter that can't be read. */
export function addAlias(text: string, alias: string): string {
  const { raw, yaml, content } = splitFrontMatter(text)
  if (raw === '') return `---\naliases:\n  - ${JSON.stringify(alias)}\n---\n${text}`
  const { properties, problem } = readProperties(yaml)
  const known = aliasesOf({ aliases: properties.aliases ?? null })
  if (problem !== null || known.includes(alias)) return text
  const { document } = parseYaml(yaml)
  if (document === null) return text
  if (document.contents !== null && !isMap(document.contents)) return text
  if (isSeq(document.get('aliases'))) document.addIn(['aliases'], alias)
  else document.set('aliases', [...known, alias])
  return `---\n${document.toString({ lineWidth: 0 })}---\n${content}`
}

type ParsedPair = { name: string | null; value: ParsedNode | null }

/** The outermost pairs. What is no mapping, such as a line of text, is one without a name; so is a key that is nested. */
function parse(yaml: string): { pairs: ParsedPair[]; problem: string | null } {
  const { document, problem } = parseYaml(yaml)
  if (document === null) return { pairs: [], problem }
  const { contents } = document
  if (!isMap(contents)) return { pairs: contents ? [{ name: null, value: contents }] : [], problem: null }
  const pairs = contents.items.map(({ key, value }) => ({
    name: isScalar(key) ? String(key.value) : null,
    value: value as ParsedNode | null,
  }))
  return { pairs, problem: null }
}

function scalarOf(node: ParsedNode | null): Scalar | null {
  const value = isScalar(node) ? node.value : null
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function valuesOf(node: ParsedNode, yaml: string): string[] {
  if (!isSeq(node) || isBareLink(node, yaml)) return textsOf(node, yaml)
  return node.items.flatMap((item) => textsOf(item, yaml))
}

/** A link that nobody has quoted is a list within a list to YAML. */
const isBareLink = (node: ParsedNode, yaml: string): boolean =>
  isSeq(node) && /^\[\[[^[\]]*\]\]$/.test(asWritten(node, yaml))

function textsOf(node: ParsedNode, yaml: string): string[] {
  if (!isScalar(node)) return [asWritten(node, yaml)]
  return node.value === null ? [] : [String(node.source ?? node.value)]
}

function asWritten({ range: [from, to] }: ParsedNode, yaml: string): string {
  const written = yaml.slice(from, to).trim()
  if (!written.includes('\n')) return written
  const indent = from - (yaml.lastIndexOf('\n', from - 1) + 1)
  return indent === 0 ? written : written.replace(new RegExp(`^ {1,${indent}}`, 'gm'), '')
}

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
