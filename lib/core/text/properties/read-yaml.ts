import { isMap, isScalar, isSeq } from 'yaml'
import { parseYaml } from './parse-yaml.ts'

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
