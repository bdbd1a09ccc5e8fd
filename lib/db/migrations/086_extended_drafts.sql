-- A newer draft of an agent for the same thing builds on the one that waits (`extended`). `drops` are the changes of what
-- it replaces that it does not contain. The list of derivations grows, so that no row there is has to be looked at.
alter table pending_changes
  drop constraint pending_changes_derivation_check,
  add constraint pending_changes_derivation_check
    check (derivation in ('proposed', 'revised', 'extended', 'edited', 'rest', 'merged', 'resolved', 'rescued')) not valid,
  add column drops json not null default '[]';

create or replace function refuse_change_of_payload() returns trigger language plpgsql as $$
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
