// The text of a Markdown file as a page has it: plain line breaks, and front matter in YAML, which properties, tags and links
// are read from. The bytes of a file that this changes are kept.

import { parse, TomlDate } from 'smol-toml'
import { stringify } from 'yaml'

/** Characters of TOML that are read. */
const maxToml = 32 * 1024

/** Normalizes line breaks, so that quotations by agents and people match. TOML that cannot be read stays. */
export function noteText(text: string): string {
  const plain = text.replace(/\r\n?/g, '\n')
  const [raw, toml = ''] = /^\+{3}[ \t]*\n(.*?)^\+{3}[ \t]*(?:\n|$(?![\s\S]))/ms.exec(plain) ?? []
  if (raw === undefined || toml.length > maxToml) return plain
  const yaml = toYaml(toml)
  return yaml === null ? plain : `---\n${yaml}---\n${plain.slice(raw.length)}`
}

function toYaml(toml: string): string | null {
  try {
    const table = parse(toml, { maxDepth: 12 })
    return Object.keys(table).length === 0 ? '' : stringify(withoutDates(table), { lineWidth: 0 })
  } catch {
    return null
  }
}

/** Dates and times as they are written. */
function withoutDates(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString()
  if (Array.isArray(value)) return value.map(withoutDates)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutDates(each)]))
}
