import type { Kind } from '../entities/kind.ts'

const labels: Record<string, string> = {
  body: 'Text',
  due_on: 'Due',
  published_on: 'Published',
  parent_id: 'Below',
  project_id: 'Project',
  url: 'Address',
  mime: 'Type',
}

/** The name of a field for a person: "due_on" as "Due", "priority" as "Priority". */
export function fieldLabel(name: string): string {
  return labels[name] ?? capital(name.replace(/_(id|on)$/, '').replaceAll('_', ' '))
}

/** A short value in words: a choice, a day, an entity by its title; the value itself where it is text. */
export function valueWords(
  kind: Kind,
  { name, value, references }: { name: string; value: unknown; references: Record<string, string> },
): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string') return JSON.stringify(value)
  if (name in kind.references) return references[value] ?? 'something that is gone'
  if (/_on$/.test(name) && /^\d{4}-\d{2}-\d{2}$/.test(value)) return day(value)
  return isChoice(kind, name) ? capital(value.replaceAll('_', ' ')) : value
}

/** Whether a value is read as a text with changes in it, rather than as one value before another. */
export function isText(kind: Kind, name: string, values: readonly unknown[]): boolean {
  if (name === kind.bodyField) return true
  return values.some(
    (value) =>
      (typeof value === 'string' && (value.length > 160 || value.includes('\n'))) ||
      (typeof value === 'object' && value !== null),
  )
}

const isChoice = (kind: Kind, name: string) => kind.fields.shape[name]?.def.type === 'enum'

const months = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

function day(value: string): string {
  const time = Date.parse(`${value}T00:00:00Z`)
  return Number.isNaN(time) ? value : months.format(time)
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
