import type { ProvenanceSource } from '../../contract/changes/provenance.ts'

/** Something that an agent was given to read, and the pieces of its text that it was given. */
export type GivenText = Pick<ProvenanceSource, 'entity_type' | 'entity_id' | 'given_by'> & {
  /** For what is no entity: its name. */
  title: string
  texts: readonly string[]
}
