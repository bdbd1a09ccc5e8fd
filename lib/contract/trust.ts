// Plain facts of companions, for the server and the browser.

import { z } from 'zod'
import { count } from './scalars.ts'

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

// Whether the owner vouches for what comes from an import, a mail account or a connected source.

export const OriginKind = z.enum(['import', 'mail', 'source'])

export type OriginKind = z.infer<typeof OriginKind>

export const TrustLevel = z
  .enum(['own', 'outside'])
  .describe('own: the owner vouches for it; outside: others may have written it')

export type TrustLevel = z.infer<typeof TrustLevel>

export const TrustedOrigin = z.object({
  kind: OriginKind,
  key: z.string().describe('The source of an import; the id of a mail account or of a source'),
  name: z.string(),
  trust: TrustLevel,
})

export type TrustedOrigin = z.infer<typeof TrustedOrigin>

// How the owner decides, as it is shown to the owner alone.

export const AttentionFigures = z.object({
  decisions: count,
  approved: count,
  rejected: count,
  undone: count.describe('Of the approved ones: how many are undone'),
  unseen: count.describe('Decided without ever having been shown in Void’s own pages'),
  median_seconds: z
    .number()
    .nullable()
    .describe('From first being shown to the decision; null when none was shown'),
})

export type AttentionFigures = z.infer<typeof AttentionFigures>

export const Attention = z.object({
  recent: AttentionFigures.describe('The last thirty decisions'),
  all: AttentionFigures,
  hasty: count.describe('Of the recent ones: approved less than two seconds after being shown, or unseen'),
  notice: z
    .boolean()
    .describe('Whether to mention it: thirty decisions, and more than 95 of a hundred of them hasty'),
})

export type Attention = z.infer<typeof Attention>
