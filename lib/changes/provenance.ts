import type { Provenance } from '../contract/card.ts'

/** Of a draft made outside a turn: what was read before it is not known, and is not claimed to be clean. */
export const unknownProvenance: Provenance = { known: false, sources: [], more: 0, passages: [], quotes: [] }
