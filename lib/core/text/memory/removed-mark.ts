/** What history has in the place of words that the owner removed. */
export const removedMark = '[removed by the owner]'
