const words: readonly (readonly [string, string])[] = [
  ['created', 'new'],
  ['updated', 'updated'],
  ['moved', 'moved'],
  ['unchanged', 'unchanged'],
  ['conflict', 'left as you changed them'],
  ['deleted', 'left deleted'],
  ['joined', 'part of a conversation'],
  ['skipped', 'skipped'],
]

/** Files by outcome, in words; none of those that there are none of. */
export const countWords = (counts: Readonly<Record<string, number>>): string[] =>
  words.filter(([name]) => (counts[name] ?? 0) > 0).map(([name, word]) => `${counts[name]} ${word}`)

/** Whether something came of an import that can be taken back. */
export const hasChanged = ({ created = 0, updated = 0, moved = 0 }: Record<string, number>): boolean =>
  created + updated + moved > 0
