/** What a server was found to take; `null`: not known. */
export type Abilities = {
  /** Whether passages may be sent as blocks; otherwise they are sent as text. */
  blocks: boolean
  /** Whether it calls tools and reads their results. */
  tools: boolean | null
  /** Whether it calls several tools in one message. */
  several: boolean | null
  images: boolean | null
}

/** Of a provider that takes everything, and of a server that nobody has asked yet. */
export const allAbilities: Abilities = { blocks: true, tools: true, several: true, images: true }
export const unknownAbilities: Abilities = { blocks: false, tools: null, several: null, images: null }
