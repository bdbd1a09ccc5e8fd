const endings = [
  ...[
    'ations',
    'ation',
    'ements',
    'ement',
    'ments',
    'ment',
    'ings',
    'ing',
    'ions',
    'ion',
    'als',
    'ers',
    'ies',
  ],
  ...['edly', 'ly', 'al', 'er', 'ed', 'es', 's', 'e', 'y'],
]
const shortEndings = new Set(['al', 'er', 'als', 'ers', 'ion', 'ions', 'ly', 'ment', 'ments'])

/**
 * A lower-case word without its ending, so that "approving", "approval" and "approves" are one. Cruder than the stemmer
 * of the search index, and the same for all languages.
 */
export function stem(word: string): string {
  for (const ending of endings) {
    const left = word.length - ending.length
    if (word.endsWith(ending) && left >= (shortEndings.has(ending) ? 4 : 3))
      return undouble(word.slice(0, left))
  }
  return word
}

/** "planning" and "plan" are one, "call" stays. */
const undouble = (word: string) => (/([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word)
