-- Pending changes (what agents propose and the owner decides) and the audit log of everything that was written.

-- pending → approved, rejected, superseded, retracted, expired or obsolete, once. A payload is what the owner was shown,
-- so a stored one never changes: a draft that is revised, edited, merged or partly approved goes on as a new row, and both
-- rows name each other.
create table pending_changes (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  agent_id uuid not null references agents (id),
  conversation_id uuid references conversations (id),
  turn_id uuid references turns (id),
  -- A proposal that is made again by a resumed turn is found by its turn and this.
  tool_use_id text,
  -- Drafts of one turn; they are applied whole or not at all.
  changeset_id uuid not null,
  entity_type text not null,
  entity_id uuid not null,
  -- `call`: a call of an outside tool.
  action text not null check (action in ('create', 'update', 'delete', 'call')),
  payload text not null,
  payload_sha256 text not null check (payload_sha256 ~ '^[0-9a-f]{64}$'),
  base_version integer check (base_version > 0),
  -- The agent's note.
  reason text not null default '',
  -- What the agent had been given when it made the draft. `known` false: nothing is known of that.
  provenance json not null
    default '{"known": false, "sources": [], "more": 0, "passages": [], "quotes": []}',
  -- How the row came to be.
  derivation text not null default 'proposed'
    check (derivation in ('proposed', 'revised', 'extended', 'edited', 'rest', 'merged', 'resolved', 'rescued')),
  supersedes uuid references pending_changes (id),
  superseded_by uuid references pending_changes (id),
  -- Places that a three-way merge left to the owner.
  conflicts json not null default '[]',
  -- Changes of the draft it replaces that it does not contain.
  drops json not null default '[]',
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'rejected', 'superseded', 'retracted', 'expired', 'obsolete')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by text,
  decision json,
  result_version integer,
  constraint pending_changes_payload_is_hashed
    check (payload_sha256 = encode(sha256(convert_to(payload, 'UTF8')), 'hex')),
  constraint pending_changes_new_has_no_base check ((action in ('create', 'call')) = (base_version is null)),
  constraint pending_changes_decided_has_time check ((status = 'pending') = (decided_at is null)),
  constraint pending_changes_approved_has_version check ((status = 'approved') = (result_version is not null)),
  constraint pending_changes_superseded_by_something check (status <> 'superseded' or superseded_by is not null)
);
create unique index pending_changes_call on pending_changes (turn_id, tool_use_id)
  where turn_id is not null and tool_use_id is not null;
create index pending_changes_space on pending_changes (space_id, status, id);
create index pending_changes_entity on pending_changes (entity_id) where status = 'pending';
create index pending_changes_target on pending_changes (entity_id, created_at desc);
create index pending_changes_changeset on pending_changes (changeset_id, id);
create index pending_changes_agent on pending_changes (agent_id, created_at);
create index pending_changes_conversation on pending_changes (conversation_id, decided_at)
  where conversation_id is not null;
create index pending_changes_time on pending_changes (created_at desc);
create index pending_changes_decided on pending_changes (decided_at desc) where decided_at is not null;
-- The two halves of the Inbox.
create index pending_changes_waiting
  on pending_changes (coalesce(decided_at, created_at) desc, id desc) where status = 'pending';
create index pending_changes_settled
  on pending_changes (coalesce(decided_at, created_at) desc, id desc) where status <> 'pending';
-- A proposal of an outside agent is compared with what the owner has rejected.
create index pending_changes_rejected on pending_changes (agent_id, payload_sha256) where status = 'rejected';
create index pending_changes_replies on pending_changes (space_id) where entity_type = 'reply' and status = 'pending';

create function refuse_change_of_payload() returns trigger language plpgsql as $$
begin
  if row(new.id, new.space_id, new.agent_id, new.entity_type, new.entity_id, new.action, new.payload,
         new.payload_sha256, new.base_version, new.reason, new.changeset_id, new.derivation, new.supersedes,
         new.conflicts::text, new.drops::text)
     is distinct from
     row(old.id, old.space_id, old.agent_id, old.entity_type, old.entity_id, old.action, old.payload,
         old.payload_sha256, old.base_version, old.reason, old.changeset_id, old.derivation, old.supersedes,
         old.conflicts::text, old.drops::text) then
    raise exception 'a stored pending change never changes' using errcode = 'check_violation';
  end if;
  if old.status <> 'pending' and new.status <> old.status then
    raise exception 'a decision is made once' using errcode = 'check_violation';
  end if;
  if old.superseded_by is not null and new.superseded_by is distinct from old.superseded_by then
    raise exception 'a draft has one successor' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger pending_changes_payload_is_fixed before update on pending_changes
  for each row execute function refuse_change_of_payload();

create function refuse_change_of_provenance() returns trigger language plpgsql as $$
begin
  if new.provenance::text is distinct from old.provenance::text then
    raise exception 'the provenance of a pending change never changes' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger pending_changes_provenance_is_fixed before update on pending_changes
  for each row execute function refuse_change_of_provenance();

-- When the owner first saw a draft.
create table shown_changes (
  pending_change_id uuid primary key references pending_changes (id),
  first_shown_at timestamptz not null default now()
);

-- Outcomes of drafts that were delivered to their agent at the start of a turn. `audit_seq` is that of an undo, or 0.
-- `line` stands in the message, so that the conversation reads the same whenever it is read again.
create table delivered_outcomes (
  turn_id uuid not null references turns (id),
  pending_change_id uuid not null references pending_changes (id),
  outcome text not null,
  audit_seq bigint not null default 0,
  line text not null,
  primary key (turn_id, pending_change_id, outcome, audit_seq)
);
create index delivered_outcomes_change on delivered_outcomes (pending_change_id);

-- A draft whose address was given to a channel without a screen: the first browser that takes it opens or offers it.
create table pending_openings (
  id uuid primary key,
  pending_change_id uuid not null unique references pending_changes (id) on delete cascade,
  space_id uuid not null references spaces (id),
  created_at timestamptz not null default now()
);

-- Append-only; each row's hash covers the one before it.
create table audit_log (
  seq bigint primary key,
  at timestamptz not null default clock_timestamp(),
  space_id uuid,
  actor text not null,
  action text not null,
  entity_type text not null,
  entity_id uuid not null,
  version integer,
  -- The entity as JSON; null: there was none.
  before text,
  after text,
  -- The approval that it follows from.
  pending_change_id uuid,
  -- The row that it takes back; with `undoes_since`, all rows of the entity from that one on.
  undoes bigint,
  undoes_since bigint,
  previous_hash text not null,
  hash text not null,
  constraint audit_log_undoes_an_earlier_row check (undoes < seq),
  constraint audit_log_undoes_a_run check (undoes_since is null or (undoes is not null and undoes_since < undoes))
);
create index audit_log_entity on audit_log (entity_id, seq);
create index audit_log_space on audit_log (space_id, seq);
create index audit_log_time on audit_log (at desc);
create index audit_log_space_time on audit_log (space_id, at desc);
create index audit_log_undoes on audit_log (entity_id, undoes) where undoes is not null;
create index audit_log_pending_change on audit_log (pending_change_id) where pending_change_id is not null;

-- The log's last row, and the lock of its writers: whoever writes several entities in one transaction locks it first.
create table audit_head (
  only_row boolean primary key default true check (only_row),
  seq bigint not null,
  hash text not null
);
insert into audit_head (seq, hash) values (0, repeat('0', 64));

-- What a row's hash covers: every column but the hash itself, each with its length, so that no two rows read alike. The
-- columns of an undo count only where they are set.
create function audit_line(entry audit_log) returns text language sql stable as $$
  select string_agg(coalesce(length(part)::text || ':' || part, '-'), ',' order by place)
  from unnest(
    array[
      entry.seq::text, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), entry.space_id::text,
      entry.actor, entry.action, entry.entity_type, entry.entity_id::text, entry.version::text, entry.before,
      entry.after, entry.pending_change_id::text, entry.previous_hash
    ] || case when entry.undoes is null and entry.undoes_since is null then '{}'::text[]
              else array[entry.undoes::text, entry.undoes_since::text] end
  ) with ordinality as parts (part, place)
$$;

create function chain_audit_row() returns trigger language plpgsql as $$
declare
  head audit_head;
begin
  select * into head from audit_head for update;
  new.seq := head.seq + 1;
  new.previous_hash := head.hash;
  new.hash := encode(sha256(convert_to(audit_line(new), 'UTF8')), 'hex');
  update audit_head set seq = new.seq, hash = new.hash;
  return new;
end $$;
create trigger audit_log_chain before insert on audit_log for each row execute function chain_audit_row();

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_is_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_is_not_emptied before truncate on audit_log
  for each statement execute function refuse_audit_change();

-- Only the chain's trigger moves the head: one step deep in another.
create function refuse_move_of_head() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or pg_trigger_depth() < 2 then
    raise exception 'the head of the audit log is moved by the log alone' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger audit_head_follows_the_log before insert or update or delete on audit_head
  for each row execute function refuse_move_of_head();
create trigger audit_head_is_not_emptied before truncate on audit_head
  for each statement execute function refuse_move_of_head();

-- For a session that calls itself a replica, too.
alter table audit_log enable always trigger audit_log_is_append_only;
alter table audit_log enable always trigger audit_log_is_not_emptied;
alter table audit_head enable always trigger audit_head_follows_the_log;
alter table audit_head enable always trigger audit_head_is_not_emptied;
