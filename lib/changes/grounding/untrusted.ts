// The rules that say which text counts as untrusted: text that somebody else than the owner may have written to steer
// whoever reads it. This file is all of them.

import type { ProvenanceSource } from '../../contract/changes/provenance.ts'
import type { VouchedBy } from '../../contract/trust.ts'

/** What the owner wrote, and what an agent drafted and the owner approved word by word. */
const trustedOrigins: ReadonlySet<string> = new Set(['owner', 'agent'])

export type SourceFacts = Pick<ProvenanceSource, 'entity_type' | 'origin' | 'given_by'> & {
  created_by: string
  updated_by: string
  /** Of a file: its media type. */
  mime?: string
  /** Origin that the owner vouches for. Default: none. */
  vouched?: VouchedBy | undefined
}

/**
 * Whether a source of a draft is untrusted: mail, web pages, MCP, the results of outside tools, imports that the owner
 * does not vouch for, and whatever is no longer known. Another conversation counts too: it may repeat what was read
 * there. Void's own guide is not, until an import writes over it.
 */
export function isUntrusted(facts: SourceFacts): boolean {
  const { entity_type, origin, given_by, created_by, updated_by, vouched } = facts
  if (entity_type === 'conversation') return true
  if (vouched) return vouched === 'import' && !isOwnNote(facts)
  if (given_by === 'tool') return true
  if (created_by === guideActor && !isFromOutside(updated_by)) return false
  return origin === null || !trustedOrigins.has(origin)
}

/** Among one's own notes lie mail, web clippings, PDFs and other documents: those are mostly by others. */
const isOwnNote = ({ entity_type, origin, mime = '' }: SourceFacts): boolean =>
  origin === 'import' && (entity_type !== 'source_doc' || plainTypes.test(mime))

const plainTypes = /^(?:text\/(?!html\b)|image\/(?!svg\b)|audio\/|video\/|application\/json\b)/

const guideActor = 'system:welcome'

/** Whether a change that nobody drafted brought in text from outside: whatever Void does by itself but its welcome. */
export const isFromOutside = (actor: string): boolean => actor.startsWith('system:') && actor !== guideActor
