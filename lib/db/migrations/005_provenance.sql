-- What an agent had been given when it made a draft, kept as it was told to the owner. Drafts from before this know
-- nothing of it, which is not the same as that they were made from nothing.
update pending_changes
set provenance = '{"known": false, "sources": [], "more": 0, "passages": [], "quotes": []}';
alter table pending_changes
  alter column provenance set default '{"known": false, "sources": [], "more": 0, "passages": [], "quotes": []}';

create function refuse_change_of_provenance() returns trigger language plpgsql as $$
begin
  if new.provenance::text is distinct from old.provenance::text then
    raise exception 'the provenance of a pending change never changes' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger pending_changes_provenance_is_fixed before update on pending_changes
  for each row execute function refuse_change_of_provenance();

-- The hash that the owner is shown is the hash of what is stored, whoever wrote the row and however.
alter table pending_changes
  add constraint pending_changes_payload_is_hashed
  check (payload_sha256 = encode(sha256(convert_to(payload, 'UTF8')), 'hex'));
