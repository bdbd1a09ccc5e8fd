import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { Given } from '../grounding/given-text.ts'

/** What an agent asks for: a draft that is yet to be checked and stored. */
export type Proposal = {
  space_id: string
  entity_type: string
  action: PendingChange['action']
  /** Of what exists already; a create gets one. */
  entity_id?: string | undefined
  /** The version that the agent saw; left out: the current one. */
  version?: number | undefined
  payload?: Record<string, unknown> | undefined
  /** Replacements in the long text, in place of the whole of it. */
  edits?: readonly Edit[] | undefined
  /** A draft of the agent's own that this one revises: what it does not mention stays as drafted there. */
  supersedes?: string | undefined
  /** Plain text for the owner. */
  reason: string
  turn: { id: string; conversation_id: string } | null
  /** What the agent had been given to read; left out: not known. */
  given?: Given | undefined
  /** With the turn, names the call: the same call stores one draft. */
  tool_use_id: string | null
}

export type Edit = { old_text: string; new_text: string }
