/**
 * The form in which names are compared: compatibility characters folded (NFKC), lower case, white space folded,
 * no leading `./` or `/`, no `.md` at the end.
 */
export function normalizeName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^(\.?\/)+/, '')
    .replace(/\.md$/, '')
}

/** The ways to name a file by its path: the whole path and every shorter tail of two or more segments. */
export function pathNames(path: string): string[] {
  const segments = normalizeName(path).split('/')
  return segments.slice(0, -1).map((_, start) => segments.slice(start).join('/'))
}
