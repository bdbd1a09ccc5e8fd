// Values that fit a JSON Schema, or nearly: texts and ids are such that the route's own work begins.

import type { JsonSchema } from '../../helpers/text-fields.ts'
import { hostileValue } from './hostile-values.ts'
import type { IdPool } from './id-pool.ts'
import type { Random } from './random.ts'

type Sources = { random: Random; pool: IdPool }

const words = [
  'lamp',
  'oil',
  'fuzz',
  'the lamp turns',
  'Fuzz page 1',
  'keeper',
  'rent',
  'What is said of the lamp?',
]
const bodies = [
  'The lamp turns once in twelve seconds.',
  '# Oil\n\nThe tank holds 40 litres. See [[Fuzz page 0]].\n\n- [ ] fill it\n',
  '---\ntags: [a, b]\n---\n\nA line.\n\n![[Fuzz page 1]]\n',
  '| a | b |\n| - | - |\n| 1 | 2 |\n',
]

const days = ['2026-01-31', '2024-02-29', '1970-01-01', '9999-12-31']
const times = ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z', '0001-01-01T00:00:00Z']
const files = ['a.md', 'b/c.md', 'd.html', 'e.eml', 'f.zip', 'g.csv', 'h.json', 'i.pdf', 'j.docx', 'k.txt']

const maxDepth = 5
/** Of the properties that may be left out, how many are given: some only go without others. */
const shares = [0, 0.2, 0.5, 0.9]

export function valueFor(schema: JsonSchema, name: string, sources: Sources, depth = 0): unknown {
  const { random } = sources
  if (depth > maxDepth) return null
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return valueFor(random.pick(options), name, sources, depth)
  switch (schema.type) {
    case 'object':
      return objectFor(schema, name, sources, depth)
    case 'array':
      return Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () =>
        valueFor(schema.items ?? {}, name, sources, depth + 1),
      )
    case 'string':
      return textFor(schema, name, sources)
    case 'integer':
    case 'number':
      return numberFor(schema, name, sources)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return random.chance(0.5) ? random.pick(words) : hostileValue(random)
  }
}

function objectFor(schema: JsonSchema, name: string, sources: Sources, depth: number): object {
  const { random, pool } = sources
  const { properties = {}, required = [], additionalProperties: more } = schema
  const share = random.pick(shares)
  const made = Object.entries(properties).flatMap(([key, inner]) =>
    required.includes(key) || random.chance(share) ? [[key, valueFor(inner, key, sources, depth + 1)]] : [],
  )
  const others =
    typeof more === 'object'
      ? Array.from({ length: random.below(3) }, () => [
          freeKey(name, random, pool),
          valueFor(more, name, sources, depth + 1),
        ])
      : []
  return Object.fromEntries([...made, ...others])
}

function freeKey(name: string, random: Random, pool: IdPool): string {
  if (name === 'payloads') return pool.pick('pending-changes', random) ?? 'x'
  if (name === 'choices') return String(random.below(3))
  return random.pick(['title', 'body', 'status', 'due_on', 'url', 'parent_id', 'read', 'nothing'])
}

function textFor({ format, pattern }: JsonSchema, name: string, { random, pool }: Sources): string {
  if (format === 'uuid') return pool.pick(name, random) ?? '01900000-0000-7000-8000-000000000000'
  if (format === 'date') return random.pick(days)
  if (format === 'date-time') return random.pick(times)
  if (/sha256|payloads/.test(name)) return pool.pick('payload_sha256', random) ?? 'f'.repeat(64)
  if (name === 'cursor') return cursorFor(pattern, random, pool)
  if (name === 'base64') return Buffer.from(random.pick(bodies)).toString('base64')
  if (/^(path|gone|present|root)$/.test(name)) return random.pick(files)
  if (name === 'slug') return `slug-${random.below(1e6)}`
  if (name === 'mime') return random.pick(['text/plain', 'text/markdown', 'image/png'])
  if (name === 'url')
    return random.pick(['https://nobody.invalid/a', 'http://[::1]/', 'mailto:a@example.org'])
  if (/^(body|text|old_text|new_text)$/.test(name)) return random.pick(random.chance(0.6) ? bodies : words)
  if (/kinds/.test(name)) return random.pick(['page', 'task', 'page,task', 'source_doc'])
  return random.pick(words)
}

function cursorFor(pattern: string | undefined, random: Random, pool: IdPool): string {
  if (pattern?.includes('~')) return `2026-01-31T10:00:00.000000Z~${random.pick(['change', 'call'])}:1`
  return pool.pick('cursor', random) ?? '0'
}

function numberFor({ minimum = 0, maximum = 1e6 }: JsonSchema, name: string, { random }: Sources): number {
  if (/version|since|from|to|expected/.test(name)) return 1 + random.below(4)
  const highest = Math.min(maximum, minimum + 300)
  return random.chance(0.1) ? random.pick([minimum, maximum]) : minimum + random.below(highest - minimum + 1)
}
