// Changes one property in the front matter of a text, in place: every other character stays as it is, comments too. What
// comes of it is read again, and an edit that would change anything else is refused.

import { isMap, isScalar, isSeq, type Pair, type ParsedNode, stringify, visit } from 'yaml'
import { splitFrontMatter } from '../markdown.ts'
import { type PropertyValue, parseYaml, propertyValues } from './read-properties.ts'
import { propertyKey } from './typed-properties.ts'

export type PropertyEdit =
  | { add: { name: string; value: PropertyValue } }
  | { set: { name: string; value: PropertyValue } }
  | { rename: { name: string; to: string } }
  | { remove: { name: string } }

export type EditedText =
  | { text: string; problem: null }
  | { text: null; problem: 'exists' | 'absent' | 'unreadable' }

type ParsedPair = Pair<ParsedNode, ParsedNode | null>

/** `exists`: a property of that name is there already. `absent`: none is. `unreadable`: edit the text instead. */
export function editProperties(text: string, edit: PropertyEdit): EditedText {
  const { raw, yaml, content } = splitFrontMatter(text)
  const lineBreak = raw.includes('\r\n') ? '\r\n' : '\n'
  if (raw === '') {
    if (!('add' in edit)) return refused('absent')
    const { name, value } = edit.add
    return { text: `---\n${pairText(name, value)}\n---\n${text}`, problem: null }
  }
  const pairs = pairsOf(yaml)
  if (!pairs) return refused('unreadable')
  const edited = editYaml(yaml, pairs, edit)
  if (typeof edited !== 'string') return refused(edited.problem)

  const lines = lineBreak === '\n' ? edited : edited.replace(/\r?\n/g, lineBreak)
  const before = propertyValues(yaml)
  if (!isSame(propertyValues(lines), wanted(before, edit))) return refused('unreadable')
  const start = raw.indexOf('\n') + 1
  const whole =
    lines.trim() === '' ? content : raw.slice(0, start) + lines + raw.slice(start + yaml.length) + content
  return { text: whole, problem: null }
}

const refused = (problem: 'exists' | 'absent' | 'unreadable'): EditedText => ({ text: null, problem })

/** `null` for YAML that cannot be changed by line: none, or written as in JSON. */
function pairsOf(yaml: string): ParsedPair[] | null {
  const { document } = parseYaml(yaml)
  if (document === null) return null
  const { contents } = document
  if (contents === null) return []
  return isMap(contents) && !contents.flow ? (contents.items as ParsedPair[]) : null
}

type Refusal = { problem: 'exists' | 'absent' | 'unreadable' }

function editYaml(yaml: string, pairs: readonly ParsedPair[], edit: PropertyEdit): string | Refusal {
  const named = (name: string) => pairs.findLast(({ key }) => isScalar(key) && String(key.value) === name)
  const isTaken = (name: string, except?: ParsedPair) =>
    pairs.some(
      (pair) =>
        pair !== except && isScalar(pair.key) && propertyKey(String(pair.key.value)) === propertyKey(name),
    )

  if ('add' in edit) {
    if (isTaken(edit.add.name)) return { problem: 'exists' }
    const end = yaml === '' || yaml.endsWith('\n') ? '' : '\n'
    return `${yaml}${end}${pairText(edit.add.name, edit.add.value)}\n`
  }
  const pair = named('set' in edit ? edit.set.name : 'rename' in edit ? edit.rename.name : edit.remove.name)
  if (!pair) return { problem: 'absent' }
  const [from, keyEnd] = pair.key.range
  if ('rename' in edit) {
    if (isTaken(edit.rename.to, pair)) return { problem: 'exists' }
    return yaml.slice(0, from) + keyText(edit.rename.to) + yaml.slice(keyEnd)
  }
  const end = endOf(pair, yaml)
  // Others may refer to an anchor in it.
  if (end === null || (pair.value && hasAnchor(pair.value))) return { problem: 'unreadable' }
  if ('set' in edit && isNested(pair.value)) return { problem: 'unreadable' }
  if ('set' in edit) return yaml.slice(0, from) + changed(pair, edit.set.value, yaml) + yaml.slice(end)
  const next = yaml.indexOf('\n', end)
  return yaml.slice(0, from) + (next < 0 ? '' : yaml.slice(next + 1))
}

/** A value of it would replace what no property shows. */
const isNested = (value: ParsedNode | null): boolean =>
  isMap(value) || (isSeq(value) && value.items.some((item) => isMap(item)))

function hasAnchor(node: ParsedNode): boolean {
  let found = false
  visit(node, {
    Node(_, { anchor }: { anchor?: string | undefined }) {
      if (anchor !== undefined) found = true
      return found ? visit.BREAK : undefined
    },
  })
  return found
}

/** Where a pair ends, without the white space and the comment behind it. */
function endOf({ key, value }: ParsedPair, yaml: string): number | null {
  const keyEnd = key.range[1]
  const colon = yaml.indexOf(':', keyEnd)
  if (colon < 0) return null
  const end = value ? Math.max(colon + 1, value.range[1]) : colon + 1
  return colon + 1 + yaml.slice(colon + 1, end).trimEnd().length
}

/** In the style of what it was: a list in one line stays so, one in lines is indented as before. */
function changed({ key, value }: ParsedPair, next: PropertyValue, yaml: string): string {
  const written = yaml.slice(...(key.range.slice(0, 2) as [number, number]))
  const isFlow = isSeq(value) && value.flow === true
  const start = isSeq(value) && !isFlow ? value.range[0] : null
  const isIndented = start === null || yaml.slice(yaml.lastIndexOf('\n', start) + 1, start) !== ''
  const text = pairText('x', next, { isFlow, isIndented })
  return `${written}${text.slice(1)}`
}

function pairText(
  name: string,
  value: PropertyValue,
  { isFlow = false, isIndented = true }: { isFlow?: boolean; isIndented?: boolean } = {},
): string {
  if (value === null) return `${keyText(name)}:`
  const settings = { lineWidth: 0, indentSeq: isIndented, schema: 'core' } as const
  if (Array.isArray(value) && (isFlow || value.length === 0))
    return `${keyText(name)}: ${stringify(value, { ...settings, collectionStyle: 'flow', flowCollectionPadding: false }).trimEnd()}`
  return stringify({ [name]: value }, settings).trimEnd()
}

const keyText = (name: string) =>
  stringify({ [name]: null }, { lineWidth: 0, nullStr: '' })
    .trimEnd()
    .replace(/:$/, '')

type Values = ReturnType<typeof propertyValues>

/** What the properties are to be afterwards. */
function wanted(before: Values, edit: PropertyEdit): Values {
  if ('add' in edit) return [...before, edit.add]
  const name = 'set' in edit ? edit.set.name : 'rename' in edit ? edit.rename.name : edit.remove.name
  const at = before.findLastIndex((one) => one.name === name)
  if ('remove' in edit) return before.filter((_, index) => index !== at)
  const next = 'set' in edit ? edit.set : { name: edit.rename.to, value: before[at]?.value ?? null }
  if (at >= 0) return before.with(at, next)
  return 'set' in edit ? [...before, edit.set] : before
}

const isSame = (one: Values, other: Values) => JSON.stringify(one) === JSON.stringify(other)
