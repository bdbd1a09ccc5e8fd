// An index row of Postgres holds 2,704 bytes; a UTF-16 unit becomes at most three.
const maxNameLength = 800

/**
 * The form in which names are compared: NFC, lower case, white space folded, no leading `./` or
 * `/`, no extension of a note at the end, cut after 800 characters.
 */
export function normalizeName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^(\.?\/)+/, '')
    .replace(/\.(?:md|markdown|mdown)$/, '')
    .slice(0, maxNameLength)
    .toWellFormed()
}
