// The properties in the front matter of a text, as plain values and lists of them.

import { isMap, isScalar, isSeq, type ParsedNode } from 'yaml'
import { splitFrontMatter } from '../front-matter.ts'
import { parseYaml } from './parse-yaml.ts'

type Scalar = string | number | boolean

export type ReadProperties = {
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

/** The names under `alias` or `aliases`, as a list or one string. */
export function aliasesOf(properties: ReadProperties['properties']): string[] {
  return [properties.aliases, properties.alias]
    .flat()
    .filter((alias) => typeof alias === 'string' || typeof alias === 'number')
    .map(String)
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
