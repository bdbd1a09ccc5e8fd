// Reads an entity as exports of Void had it before paths: its fields above those of the text in one front matter, and a
// comment where the text's own begin.

import { readProperties } from '../../core/text/properties/read-properties.ts'
import type { VaultNote } from './vault-note.ts'

const border = "# the text's own properties"
const closing = /^---[ \t]*\r?$/

/** `null` for a Markdown file that was not exported. Editors may have rewritten the front matter. */
export function readOlderNote(text: string): VaultNote | null {
  const start = text.indexOf('\n') + 1
  if (!/^---[ \t]*\r?\n/.test(text.slice(0, start))) return null
  const opening = text.slice(0, start)
  const rest = text.slice(start)
  const ours: string[] = []
  let at = 0

  while (at < rest.length) {
    const end = rest.indexOf('\n', at)
    const line = rest.slice(at, end < 0 ? undefined : end)
    const next = end < 0 ? rest.length : end + 1
    if (line === border) return asNote(ours, opening + rest.slice(next))
    if (closing.test(line)) return asNote(ours, rest.slice(next), `${line}\n`)
    if (ours.length === 0 && !/^void: [a-z_]+\r?$/.test(line)) return null
    ours.push(line.replace(/\r$/, ''))
    at = next
    if (ours.length > maxLines) return null
  }
  return null
}

const maxLines = 10_000
const known =
  /^(void|title|position|status|priority|due_on|recurrence|remind_at|url|author|published_on|kind|project|known_as|deleted)\s*:/

// Without the comment (removed by an editor), fields that are not ours are the text's own.
function asNote(lines: readonly string[], body: string, close?: string): VaultNote | null {
  const properties: Record<string, unknown> = {}
  const own: string[] = []
  let inOwn = false
  for (const line of lines) {
    if (/^\S/.test(line) && !line.startsWith('-')) inOwn = !known.test(line)
    if (inOwn) own.push(line)
    else if (/^[a-z_]+\s*:/.test(line)) {
      const colon = line.indexOf(':')
      properties[line.slice(0, colon).trim()] = readValue(line.slice(colon + 1).trim())
    }
  }
  const { void: kind, ...others } = properties
  if (typeof kind !== 'string') return null
  const whole = close && own.length > 0 ? `---\n${own.join('\n')}\n${close}${body}` : body
  return { kind, properties: others, body: whole }
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const { properties, problem } = readProperties(`value: ${text}`)
    return problem === null && properties.value !== undefined ? properties.value : text
  }
}
