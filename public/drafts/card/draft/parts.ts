import type { Card, CardLine } from '../../../../lib/contract/changes/card.ts'
import { quoteShown } from '../../../../lib/core/text/quote-name.ts'

/** Whether what it does is outside of Void, or a routine: approved whole, and not undone here. */
export const isEffect = ({ operation, entity_type }: Pick<CardLine, 'operation' | 'entity_type'>): boolean =>
  operation === 'call' || entity_type === 'reply' || entity_type === 'routine'

/** The parts of a draft to approve, as the API takes them; empty for all of it. */
export type Parts = { fields?: string[]; hunks?: Record<string, number[]> }

export type PartSelection = { field: string; hunk: number | null; selected: boolean }

/** The checkboxes of a card. */
export function readSelection(card: Element): PartSelection[] {
  return [...card.querySelectorAll<HTMLInputElement>('input.card-choice')].map(({ dataset, checked }) => ({
    field: dataset.field ?? '',
    hunk: dataset.hunk === undefined ? null : Number(dataset.hunk),
    selected: checked,
  }))
}

/** The parts to approve; a field without a checkbox is one of them. `null` when none is selected. */
export function selectedParts(
  { fields }: Pick<Card, 'fields'>,
  selection: readonly PartSelection[],
): Parts | null {
  if (selection.every(({ selected }) => selected)) return {}
  const hunks: Record<string, number[]> = {}
  const names: string[] = []
  for (const { name } of fields) {
    const own = selection.filter(({ field }) => field === name)
    const selected = own.filter((part) => part.selected)
    if (own.length > 0 && selected.length === 0) continue
    names.push(name)
    if (selected.length < own.length) hunks[name] = selected.flatMap(({ hunk }) => hunk ?? [])
  }
  if (names.length === 0) return null
  return { fields: names, ...(Object.keys(hunks).length > 0 ? { hunks } : {}) }
}

/** How many parts can be selected one by one. */
export function countParts(card: Pick<Card, 'fields' | 'operation' | 'entity_type'>): number {
  const { fields, operation } = card
  if (operation === 'delete' || isEffect(card)) return 0
  return fields.reduce((sum, { text }) => sum + (operation === 'update' && text ? text.hunks.length : 1), 0)
}

/** Which parts of a draft those are: “title and 1 of 3 changes of text of ‘Lease’”; `null` for all of it. */
export function describeParts(
  { fields, title }: Pick<Card, 'fields' | 'title'>,
  parts: Parts,
): string | null {
  const { fields: names, hunks = {} } = parts
  if (!names) return null
  const words = fields
    .filter(({ name }) => names.includes(name))
    .map(({ name, label, text }) => {
      const chosen = hunks[name]?.length
      const whole = label.toLowerCase()
      return chosen === undefined ? whole : `${chosen} of ${text?.hunks.length ?? chosen} changes of ${whole}`
    })
  return `${new Intl.ListFormat('en').format(words)} of ${quoteShown(title)}`
}
