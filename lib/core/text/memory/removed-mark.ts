/** What history has in the place of words that the owner removed. */
export const removedMark = '[removed by the owner]'

/** Characters of a statement that is removed; a longer one is removed as a whole line alone. */
export const maxStatement = 2000
