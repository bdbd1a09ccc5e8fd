-- A canvas is no evidence but a board of links: these follow what is renamed, as those of pages do.
create or replace function refuse_source_text_change() returns trigger language plpgsql as $$
begin
  if new.mime is distinct from old.mime or (old.mime <> 'application/x-canvas' and (
       new.text is distinct from old.text or new.original is distinct from old.original
       or new.sha256 is distinct from old.sha256)) then
    raise exception 'the text of a source document never changes' using errcode = 'check_violation';
  end if;
  return new;
end $$;
