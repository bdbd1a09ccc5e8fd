// Limits and names that the server and the browser share. Without zod, which the browser does not load.

/** Slug of the built-in companion. It answers in every Space and cannot be deleted. */
export const firstCompanion = 'companion'

/** Colors of companions (in the rail and on drafts) and Spaces (in lists). */
export const markColors = ['violet', 'blue', 'teal', 'moss', 'gold', 'rust', 'pink', 'gray'] as const

/** Maximum length of a companion's instructions and name, in characters. */
export const maxInstructions = 8000

export const maxCompanionName = 60

/** Maximum length of the instructions of a Space, in characters. */
export const maxSpaceInstructions = 4000

/** Maximum number of pages mentioned in a message. */
export const maxMentions = 5

/** Maximum length of a note and of a clipped page's HTML, in characters. */
export const maxNoteLength = 100_000

export const maxClipLength = 2_000_000

/** Maximum number of files attached to a message. */
export const maxMessageFiles = 10

/** Maximum size in bytes of one image, and of all images of a message, sent to a model: limits of the Messages API. */
export const maxImageBytes = 5 * 1024 * 1024

export const maxMessageImageBytes = 15 * 1024 * 1024

/** Maximum number of favourites in a Space. */
export const maxFavourites = 50

/** Upper bound of counts; `maxCounted + 1` means more. */
export const maxCounted = 10_000

/** Formats a count, such as "1,200", or "10,000+" above the bound. */
export const countText = (count: number): string =>
  count > maxCounted ? `${maxCounted.toLocaleString('en')}+` : count.toLocaleString('en')

/** Formats the counts of a Space by kind, such as "12 × page, 3 × task". */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const held = Object.entries(counts).filter(([, count]) => count > 0)
  return held.length > 0
    ? held.map(([type, count]) => `${countText(count)} × ${type}`).join(', ')
    : 'nothing yet'
}

/** How much a model thinks before it answers: as much as it sees fit, not at all, or with an effort. */
export const thinkingLevels = ['auto', 'off', 'low', 'medium', 'high'] as const

/** Links of one text that are indexed. */
export const maxLinks = 20_000

/** Entities that link to one, of which the rest is left out. */
export const maxBacklinks = 1000

/** Maximum number of pages of one level of the tree in a response. */
export const maxTreeLevel = 300

/** Maximum characters of a command's name. */
export const maxCommandName = 60

/** A message that may be a command of the Space: its name, with what follows. */
export const commandCall = /^\s{0,100}\/([\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,59})(?=\s|$)/u

/** What a message that asks for research begins with, and which depth. It is no part of the message that is stored. */
export const researchCommand = /^\s{0,100}\/research(?:\s{1,100}(quick|standard|deep))?\s/i
