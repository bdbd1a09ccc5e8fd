/** Rows of the audit log with the draft that each came from, its agent and its conversation, unless that is deleted. */
export const fromAuditWithDraft = `from audit_log
         left join pending_changes on pending_changes.id = pending_change_id
         left join agents on agents.id = pending_changes.agent_id
         left join conversations
           on conversations.id = pending_changes.conversation_id and conversations.deleted_at is null`

/** What the owner had said in the turn that made the draft. */
export const asked = `(select left(body, 1000)
                 from messages
                 where messages.turn_id = pending_changes.turn_id and role = 'user')`
