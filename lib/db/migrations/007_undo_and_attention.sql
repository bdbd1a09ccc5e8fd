-- Undo: an audit row may name the row that it takes back, or the run of rows of one entity from `undoes_since` on.
alter table audit_log
  add column undoes bigint,
  add column undoes_since bigint,
  add constraint audit_log_undoes_an_earlier_row check (undoes < seq),
  add constraint audit_log_undoes_a_run check (undoes_since is null or (undoes is not null and undoes_since < undoes));
create index audit_log_undoes on audit_log (entity_id, undoes) where undoes is not null;
create index audit_log_pending_change on audit_log (pending_change_id) where pending_change_id is not null;

-- As before, and what the row takes back where it takes something back: older rows keep their hashes.
create or replace function audit_line(entry audit_log) returns text language sql stable as $$
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

-- A session that calls itself a replica is held to it too.
alter table audit_log enable always trigger audit_log_is_append_only;
alter table audit_log enable always trigger audit_log_is_not_emptied;

-- The head of the chain is moved by the chain alone: by its trigger, one step deep in another.
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
alter table audit_head enable always trigger audit_head_follows_the_log;
alter table audit_head enable always trigger audit_head_is_not_emptied;

-- A drill is a draft that must never be approved, put among the others to see whether it is. Whatever the code above
-- does, it is never applied and nothing that was changed names it.
alter table pending_changes
  add column drill boolean not null default false,
  add constraint pending_changes_drill_is_never_applied check (not (drill and status = 'approved'));
create index pending_changes_drills on pending_changes (id) where drill;

create function refuse_change_of_drill() returns trigger language plpgsql as $$
begin
  raise exception 'whether a draft is a drill never changes' using errcode = 'check_violation';
end $$;
create trigger pending_changes_drill_is_fixed before update on pending_changes
  for each row when (new.drill is distinct from old.drill) execute function refuse_change_of_drill();

create function refuse_effect_of_drill() returns trigger language plpgsql as $$
begin
  if exists (select from pending_changes where id = new.pending_change_id and drill) then
    raise exception 'a drill changes nothing' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger audit_log_holds_no_drill before insert on audit_log
  for each row when (new.pending_change_id is not null) execute function refuse_effect_of_drill();

-- When the owner first had a draft before their eyes.
create table shown_changes (
  pending_change_id uuid primary key references pending_changes (id),
  first_shown_at timestamptz not null default now()
);

create table attention_settings (
  only_row boolean primary key default true check (only_row),
  drills boolean not null default false,
  next_drill_at timestamptz,
  check (drills = (next_drill_at is not null))
);
insert into attention_settings (drills) values (false);

-- What an agent was told at the start of a turn of the outcomes of its drafts. `audit_seq` is that of an undo. `told`
-- is what stands in the message, so that the conversation reads the same whenever it is read again.
create table told_outcomes (
  turn_id uuid not null references turns (id),
  pending_change_id uuid not null references pending_changes (id),
  outcome text not null,
  audit_seq bigint not null default 0,
  told text not null,
  primary key (turn_id, pending_change_id, outcome, audit_seq)
);
create index told_outcomes_change on told_outcomes (pending_change_id);
create index pending_changes_conversation on pending_changes (conversation_id, decided_at)
  where conversation_id is not null;
