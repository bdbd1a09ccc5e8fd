// An entity as a Markdown file: its text, with what the text and the file's name do not say under one key, `void`, at the
// end of its front matter. A page of which there is nothing else to say is its text alone.
//
//   ---
//   aliases: [wiring]
//   void:
//     kind: "task"
//     status: "open"
//   ---

import { splitFrontMatter } from '../../core/text/markdown.ts'
import { readYaml } from '../../core/text/properties/read-properties.ts'

export type VaultNote = {
  /** The entity type. */
  kind: string
  /** The other fields; values as in JSON. */
  properties: Record<string, unknown>
  body: string
}

/** The note as a file that reads back as the same, to the character; `null`: its text leaves no room for the fields. */
export function writeVaultNote(note: VaultNote): string | null {
  const text = withFields(note)
  if (text === null) return null
  const back = readVaultNote(text) ?? { kind: 'page', properties: {}, body: text }
  return JSON.stringify(back) === JSON.stringify(note) ? text : null
}

function withFields({ kind, properties, body }: VaultNote): string | null {
  const fields = Object.entries({ ...(kind !== 'page' && { kind }), ...properties })
  if (fields.length === 0) return body
  const block = `void:\n${fields.map(([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`).join('')}`
  const { raw, yaml } = splitFrontMatter(body)
  if (raw === '') return `---\n${block}---\n${body}`
  if (yaml.trim() === '' || !yaml.endsWith('\n') || raw.includes('\r')) return null
  const end = body.indexOf('\n') + 1 + yaml.length
  return body.slice(0, end) + block + body.slice(end)
}

const voidBlock = /(?:^|\n)(void:[ \t]*\n(?:[ \t]+\S[^\n]*\n)+)/

/** `null` for a Markdown file without the key. Editors may have rewritten the front matter. */
export function readVaultNote(text: string): VaultNote | null {
  const { raw, yaml, content } = splitFrontMatter(text)
  const block = voidBlock.exec(yaml.endsWith('\n') ? yaml : `${yaml}\n`)?.[1]
  if (block === undefined) return null
  const fields = (readYaml(block) as { void?: unknown } | undefined)?.void
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return null
  const { kind = 'page', ...properties } = fields as Record<string, unknown>
  if (typeof kind !== 'string') return null
  const at = yaml.indexOf(block)
  const rest = yaml.slice(0, at) + yaml.slice(at + block.length)
  if (rest === '') return { kind, properties, body: content }
  const start = raw.indexOf('\n') + 1
  return { kind, properties, body: raw.slice(0, start) + rest + raw.slice(start + yaml.length) + content }
}
