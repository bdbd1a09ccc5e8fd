-- Words that the owner removes from the history of a memory page. A row of the audit log with the action `redact` records
-- what each redacted row and draft now hashes to; `rows` by number and `drafts` by id in its `after`. While it is the head of
-- the chain, and only then, the triggers let those rows become exactly that.

create function redacted_row(entry audit_log, before text, after text) returns audit_log language plpgsql immutable as $$
begin
  entry.before := redacted_row.before;
  entry.after := redacted_row.after;
  return entry;
end $$;

create function redacted_draft(
  entry pending_changes, payload text, reason text, provenance json, conflicts json, drops json, decision json
) returns pending_changes language plpgsql immutable as $$
begin
  entry.payload := redacted_draft.payload;
  entry.payload_sha256 := encode(sha256(convert_to(redacted_draft.payload, 'UTF8')), 'hex');
  entry.reason := redacted_draft.reason;
  entry.provenance := redacted_draft.provenance;
  entry.conflicts := redacted_draft.conflicts;
  entry.drops := redacted_draft.drops;
  entry.decision := redacted_draft.decision;
  return entry;
end $$;

create function audit_hash(entry audit_log) returns text language sql stable as $$
  select encode(sha256(convert_to(audit_line(entry), 'UTF8')), 'hex')
$$;

-- Each part with its length, so that no two drafts read alike.
create function draft_hash(entry pending_changes) returns text language sql stable as $$
  select encode(sha256(convert_to(
    string_agg(coalesce(length(part)::text || ':' || part, '-'), ',' order by place), 'UTF8')), 'hex')
  from unnest(array[
    entry.id::text, entry.payload, entry.payload_sha256, entry.reason, entry.provenance::text, entry.conflicts::text,
    entry.drops::text, entry.decision::text
  ]) with ordinality as parts (part, place)
$$;

-- The hash that the head of the audit log records for a row (`part`: rows) or a draft (`part`: drafts) of a memory page; null
-- where the head is no redaction of that page.
create function recorded_redaction(space uuid, page uuid, part text, key text) returns text language sql stable as $$
  select head.after::json -> part ->> key
  from audit_head
  join audit_log head on head.seq = audit_head.seq and head.hash = audit_head.hash
  join memory_pages on memory_pages.page_id = head.entity_id and memory_pages.space_id = head.space_id
  where head.action = 'redact' and head.entity_type = 'page' and head.actor = 'owner' and head.space_id = space
    and head.entity_id = page
$$;

-- No other column may differ.
create function is_redacted_row(was audit_log, becomes audit_log) returns boolean language plpgsql stable as $$
begin
  return was.entity_type = 'page' and was.action <> 'redact'
    and (was.before is null) = (becomes.before is null) and (was.after is null) = (becomes.after is null)
    and redacted_row(was, becomes.before, becomes.after)::text = becomes::text
    and coalesce(
      audit_hash(becomes) = recorded_redaction(was.space_id, was.entity_id, 'rows', was.seq::text), false);
end $$;

create function is_redacted_draft(was pending_changes, becomes pending_changes)
returns boolean language plpgsql stable as $$
begin
  return was.entity_type = 'page' and was.status <> 'pending' and (was.decision is null) = (becomes.decision is null)
    and redacted_draft(was, becomes.payload, becomes.reason, becomes.provenance, becomes.conflicts, becomes.drops,
      becomes.decision)::text = becomes::text
    and coalesce(
      draft_hash(becomes) = recorded_redaction(was.space_id, was.entity_id, 'drafts', was.id::text), false);
end $$;

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if is_redacted_row(old, new) then
      return new;
    end if;
  end if;
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;

create or replace function refuse_change_of_payload() returns trigger language plpgsql as $$
begin
  if row(new.id, new.space_id, new.agent_id, new.entity_type, new.entity_id, new.action, new.payload,
         new.payload_sha256, new.base_version, new.reason, new.changeset_id, new.derivation, new.supersedes,
         new.conflicts::text, new.drops::text)
     is distinct from
     row(old.id, old.space_id, old.agent_id, old.entity_type, old.entity_id, old.action, old.payload,
         old.payload_sha256, old.base_version, old.reason, old.changeset_id, old.derivation, old.supersedes,
         old.conflicts::text, old.drops::text) then
    if not is_redacted_draft(old, new) then
      raise exception 'a stored pending change never changes' using errcode = 'check_violation';
    end if;
  end if;
  if old.status <> 'pending' and new.status <> old.status then
    raise exception 'a decision is made once' using errcode = 'check_violation';
  end if;
  if old.superseded_by is not null and new.superseded_by is distinct from old.superseded_by then
    raise exception 'a draft has one successor' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function refuse_change_of_provenance() returns trigger language plpgsql as $$
begin
  if new.provenance::text is distinct from old.provenance::text then
    if not is_redacted_draft(old, new) then
      raise exception 'the provenance of a pending change never changes' using errcode = 'check_violation';
    end if;
  end if;
  return new;
end $$;
