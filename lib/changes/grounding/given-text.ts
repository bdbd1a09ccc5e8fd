import type { ProvenanceSource } from '../../contract/changes/provenance.ts'

/** Something that an agent was given to read, and the pieces of its text that it was given. */
export type GivenText = Pick<ProvenanceSource, 'entity_type' | 'entity_id' | 'given_by'> & {
  /** For what is no entity: its name. */
  title: string
  texts: readonly string[]
  /** Whether it was given in the turn that drafts, not in an earlier one; left out: it was. */
  in_turn?: boolean
}

/** All that an agent was given before a draft. */
export type Given = {
  sources: readonly GivenText[]
  /** Messages of the owner. */
  said: readonly string[]
}
