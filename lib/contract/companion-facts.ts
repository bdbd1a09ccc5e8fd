// Plain facts of companions, for the server and the browser.

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
