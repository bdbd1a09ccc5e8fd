// Patterns of names and paths, in the language of .gitignore.

/** Whether the names of a path fit those of a pattern, in which `**` stands for any number of folders. */
export function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
  return matchWild(pattern, path, (part) => part === '**', matchesName)
}

/** Whether a path fits a pattern of the owner’s: one that ends with a slash stands for all that is in the folder. */
export const isAtPath = (pattern: string, path: string): boolean =>
  matchesPath(`${pattern.replace(/^\//, '')}${pattern.endsWith('/') ? '**' : ''}`.split('/'), path.split('/'))

/** Whether a name fits a pattern in which `*` stands for anything and `?` for one character. Case counts. */
export const matchesName = (pattern: string, name: string): boolean =>
  matchWild(
    pattern,
    name,
    (sign) => sign === '*',
    (sign, letter) => sign === '?' || sign === letter,
  )

/** Goes back to the last wild card only: at most pattern × items steps. */
function matchWild<Item>(
  pattern: ArrayLike<Item>,
  items: ArrayLike<Item>,
  isWild: (part: Item) => boolean,
  fits: (part: Item, item: Item) => boolean,
): boolean {
  let [at, next] = [0, 0]
  let back: { at: number; next: number } | null = null
  while (next < items.length) {
    if (at < pattern.length && isWild(pattern[at]!)) back = { at: at++, next }
    else if (at < pattern.length && fits(pattern[at]!, items[next]!)) {
      at++
      next++
    } else if (back) {
      back.next += 1
      at = back.at + 1
      next = back.next
    } else return false
  }
  while (at < pattern.length && isWild(pattern[at]!)) at++
  return at === pattern.length
}
