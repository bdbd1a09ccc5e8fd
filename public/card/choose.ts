import type { Card } from '../../lib/contract/card.ts'

/** What of a card is to be approved, as the server wants it; empty when all of it is. */
export type Parts = { fields?: string[]; hunks?: Record<string, number[]> }

export type Tick = { field: string; hunk: number | null; taken: boolean }

/** The boxes of a card as they stand. */
export function readTicks(card: Element): Tick[] {
  return [...card.querySelectorAll<HTMLInputElement>('input.card-choice')].map(({ dataset, checked }) => ({
    field: dataset.field ?? '',
    hunk: dataset.hunk === undefined ? null : Number(dataset.hunk),
    taken: checked,
  }))
}

/** The parts that the ticks leave; a field without a box is taken. `null` when nothing is left. */
export function chosenParts({ fields }: Pick<Card, 'fields'>, ticks: readonly Tick[]): Parts | null {
  if (ticks.every(({ taken }) => taken)) return {}
  const hunks: Record<string, number[]> = {}
  const names: string[] = []
  for (const { name } of fields) {
    const own = ticks.filter(({ field }) => field === name)
    const taken = own.filter((tick) => tick.taken)
    if (own.length > 0 && taken.length === 0) continue
    names.push(name)
    if (taken.length < own.length) hunks[name] = taken.flatMap(({ hunk }) => hunk ?? [])
  }
  if (names.length === 0) return null
  return { fields: names, ...(Object.keys(hunks).length > 0 ? { hunks } : {}) }
}

/** How many parts can be chosen at all: with one there is nothing to choose. */
export function countParts({ fields, operation }: Pick<Card, 'fields' | 'operation'>): number {
  if (operation === 'delete') return 0
  return fields.reduce((sum, { text }) => sum + (operation === 'update' && text ? text.hunks.length : 1), 0)
}
