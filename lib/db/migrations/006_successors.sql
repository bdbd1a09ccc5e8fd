-- A draft that is revised, edited, merged or only partly approved goes on as a new row. Both rows name each other, so
-- that what became of a draft can be followed in either direction and nothing is replaced unseen.
-- `derivation` says how the row came to be. `conflicts` are the places that a three-way merge left to the owner.

alter table pending_changes
  add column derivation text not null default 'proposed'
    check (derivation in ('proposed', 'revised', 'edited', 'rest', 'merged', 'resolved', 'rescued')),
  add column supersedes uuid references pending_changes (id),
  add column superseded_by uuid references pending_changes (id),
  add column conflicts json not null default '[]',
  add constraint pending_changes_superseded_by_something
    check (status <> 'superseded' or superseded_by is not null);

create index pending_changes_changeset on pending_changes (changeset_id, id);
create index pending_changes_agent on pending_changes (agent_id, created_at);

create or replace function refuse_change_of_payload() returns trigger language plpgsql as $$
begin
  if row(new.id, new.space_id, new.agent_id, new.entity_type, new.entity_id, new.action, new.payload,
         new.payload_sha256, new.base_version, new.reason, new.changeset_id, new.derivation, new.supersedes,
         new.conflicts::text)
     is distinct from
     row(old.id, old.space_id, old.agent_id, old.entity_type, old.entity_id, old.action, old.payload,
         old.payload_sha256, old.base_version, old.reason, old.changeset_id, old.derivation, old.supersedes,
         old.conflicts::text) then
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
