// An index row of Postgres holds 2,704 bytes; a UTF-16 unit becomes at most three.
const maxNameLength = 800
const maxTails = 8

/**
 * The form in which names are compared: compatibility characters folded (NFKC), lower case, white space folded,
 * no leading `./` or `/`, no `.md` at the end, cut after 800 characters.
 */
export function normalizeName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^(\.?\/)+/, '')
    .replace(/\.md$/, '')
    .slice(0, maxNameLength)
    .toWellFormed()
}

/** The ways to name a file by its path: the whole path, its name alone and the tails of two to eight segments. */
export function pathNames(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '')
  const lengths = [
    ...new Set([segments.length, ...Array.from({ length: maxTails }, (_, index) => index + 1)]),
  ]
  return lengths
    .filter((length) => length <= segments.length)
    .map((length) => normalizeName(segments.slice(-length).join('/')))
    .filter((name) => name !== '')
}
