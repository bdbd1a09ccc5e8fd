const labels: readonly (readonly [string, string])[] = [
  ['created', 'new'],
  ['updated', 'updated'],
  ['moved', 'moved'],
  ['unchanged', 'unchanged'],
  ['conflict', 'kept your version'],
  ['deleted', 'kept deleted'],
  ['skipped', 'skipped'],
]

/** How many files had each outcome, without those that none had. */
export const countTexts = (counts: Readonly<Record<string, number>>): string[] =>
  labels.filter(([name]) => (counts[name] ?? 0) > 0).map(([name, label]) => `${counts[name]} ${label}`)

/** Whether an import changed anything that can be undone. */
export const hasChanged = ({ created = 0, updated = 0, moved = 0 }: Record<string, number>): boolean =>
  created + updated + moved > 0
