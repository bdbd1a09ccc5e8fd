// The rules that say which text counts as untrusted: text that somebody else than the owner may have written to steer
// whoever reads it. This file is all of them.

import type { ProvenanceSource } from '../../contract/changes/provenance.ts'

/** What the owner wrote, and what an agent drafted and the owner approved word by word. */
const trustedOrigins: ReadonlySet<string> = new Set(['owner', 'agent'])

export type SourceFacts = Pick<ProvenanceSource, 'entity_type' | 'origin' | 'given_by'> & {
  created_by: string
  updated_by: string
}

/**
 * Whether a source of a draft is untrusted: imports, mail, web pages, MCP, the results of outside tools, and whatever
 * is no longer known. Another conversation counts too: it may repeat what was read there. Void's own guide is not,
 * until an import writes over it.
 */
export function isUntrusted({ entity_type, origin, given_by, created_by, updated_by }: SourceFacts): boolean {
  if (given_by === 'tool' || entity_type === 'conversation') return true
  if (created_by === guideActor && !isFromOutside(updated_by)) return false
  return origin === null || !trustedOrigins.has(origin)
}

const guideActor = 'system:welcome'

/** Whether a change that nobody drafted brought in text from outside: whatever Void does by itself but its welcome. */
export const isFromOutside = (actor: string): boolean => actor.startsWith('system:') && actor !== guideActor
