-- What an agent outside has proposed and the owner has rejected is looked up whenever it proposes anything.
create index pending_changes_rejected on pending_changes (agent_id, payload_sha256) where status = 'rejected';
