// How people call the six kinds.

const names: Record<string, string> = {
  task: 'task',
  todo: 'task',
  'to-do': 'task',
  'todo item': 'task',
  'to-do item': 'task',
  reminder: 'task',
  page: 'page',
  'wiki page': 'page',
  note: 'page',
  project: 'project',
  ref: 'ref',
  reference: 'ref',
  bookmark: 'ref',
  link: 'ref',
  resource: 'resource',
  'source document': 'source_doc',
  document: 'source_doc',
}

/** An alternation for a pattern, longest first; matches a singular, in any case under the flag `i`. */
export const kindWord = Object.keys(names)
  .toSorted((a, b) => b.length - a.length)
  .join('|')

/** The kind that a word means; `page` for any other word. */
export const kindNamed = (word: string): string => names[word.toLowerCase().replace(/s$/, '')] ?? 'page'

/** A kind in a sentence. */
export const labelOf = (kind: string): string => (kind === 'source_doc' ? 'source document' : kind)
