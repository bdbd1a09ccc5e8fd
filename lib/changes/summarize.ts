import type { EntityRow, Kind } from '../entities/kind.ts'
import { titleOf } from '../entities/kind.ts'
import { cleanLine } from '../text/clean.ts'

type Change = { action: 'create' | 'update' | 'delete'; payload: Record<string, unknown> }

/**
 * One plain line that says what a change does, made from its payload and the row it would change (`null` for a create
 * or a gone target): "Change status of task ‘Wire telemetry’: open → done".
 */
export function summarizeChange(kind: Kind, change: Change, row: EntityRow | null): string {
  const title = quote(row ? titleOf(row) : String(change.payload.title ?? 'untitled'))
  const fields = Object.entries(change.payload)

  if (change.action === 'create') return `Create ${kind.label} ${title}${extras(kind, change.payload)}`
  if (change.action === 'delete') return `Delete ${kind.label} ${title}`

  if (fields.length === 0) return `Settle what was changed on both sides of ${kind.label} ${title}`
  const [first] = fields
  if (fields.length === 1 && first) {
    const [name, value] = first
    if (name === 'title') return `Rename ${kind.label} ${title} to ${quote(String(value))}`
    if (name === kind.bodyField) return `Change the text of ${kind.label} ${title}`
    return `Change ${words(name)} of ${kind.label} ${title}: ${show(row?.[name])} → ${show(value)}`
  }
  return `Change ${list(fields.map(([name]) => (name === kind.bodyField ? 'text' : words(name))))} of ${kind.label} ${title}`
}

// What is worth a word about a new one besides its title: short fields that are not ids.
function extras(kind: Kind, payload: Record<string, unknown>): string {
  const skip = new Set(['title', kind.bodyField, 'position', ...Object.keys(kind.references)])
  const shown = Object.entries(payload)
    .filter(([name, value]) => !skip.has(name) && value !== null && typeof value !== 'object')
    .map(([name, value]) => `${words(name)} ${show(value)}`)
  return shown.length > 0 ? ` (${shown.join(', ')})` : ''
}

const words = (name: string) => name.replace(/_id$/, '').replace(/_on$/, ' date').replaceAll('_', ' ')

const quote = (text: string) => `‘${shorten(cleanLine(text))}’`

function show(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  return shorten(cleanLine(typeof value === 'string' ? value.replaceAll('_', ' ') : JSON.stringify(value)))
}

const shorten = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

const list = (names: string[]) => new Intl.ListFormat('en').format(names)
