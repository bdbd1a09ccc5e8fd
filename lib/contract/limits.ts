// Limits and names that the server and the browser share. Without zod, which the browser does not load.

/** The slug of the companion that is there from the start, answers everywhere and cannot be deleted. */
export const firstCompanion = 'companion'

/** How a companion can be marked in the rail and on its drafts, and a Space in lists. */
export const markColors = ['violet', 'blue', 'teal', 'moss', 'gold', 'rust', 'pink', 'gray'] as const

/** Characters of a companion’s instructions, and of its name, at most. */
export const maxInstructions = 8000

export const maxCompanionName = 60

/** Characters of what every companion in a Space is told, at most. */
export const maxSpaceInstructions = 4000

/** Pages that one message may name, at most. */
export const maxMentions = 5

/** Characters of a note, and of the HTML of a clipped page, at most. */
export const maxNoteLength = 100_000

export const maxClipLength = 2_000_000

/** Files that one message may have, at most. */
export const maxMessageFiles = 10

/** Bytes of one image that a model is shown, and of those of a message together, at most: limits of the Messages API. */
export const maxImageBytes = 5 * 1024 * 1024

export const maxMessageImageBytes = 15 * 1024 * 1024

/** Favourites a Space may have. */
export const maxFavourites = 50

/** What may be millions is counted up to this; one more stands for more. */
export const maxCounted = 10_000

/** Such as "1,200", or "10,000+" for what was not counted to its end. */
export const countText = (count: number): string =>
  count > maxCounted ? `${maxCounted.toLocaleString('en')}+` : count.toLocaleString('en')

/** What a Space holds, by kind, such as "12 × page, 3 × task". */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const held = Object.entries(counts).filter(([, count]) => count > 0)
  return held.length > 0
    ? held.map(([type, count]) => `${countText(count)} × ${type}`).join(', ')
    : 'nothing yet'
}
