import type { PendingChange } from '../../contract/changes/pending-change.ts'

/** A draft as it is stored: its payload is the text that the hash is of. */
export type StoredChange = Omit<PendingChange, 'payload'> & { payload: string }

export const changeColumns = `id, space_id, agent_id, conversation_id, turn_id, tool_use_id, changeset_id, entity_type, entity_id,
  action, payload, payload_sha256, base_version, reason, status, created_at, decided_at, decided_by, decision,
  result_version, derivation, supersedes, superseded_by, conflicts, drops, provenance`

export const toChange = (row: StoredChange): PendingChange => ({ ...row, payload: JSON.parse(row.payload) })
