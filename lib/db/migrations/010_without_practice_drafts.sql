-- Makes a store from before 0.1.0 what the baseline makes: without practice drafts, and under the baseline's names. A new
-- store has nothing of this.
do $$
begin
  if to_regclass('attention_settings') is null then
    return;
  end if;

  drop trigger audit_log_holds_no_drill on audit_log;
  drop trigger pending_changes_drill_is_fixed on pending_changes;
  drop function refuse_effect_of_drill();
  drop function refuse_change_of_drill();
  drop table attention_settings;

  -- A practice draft must never become one like any other: it is removed, or closed where a later draft names it.
  update pending_changes set status = 'retracted', decided_at = now() where drill and status = 'pending';
  create temporary table practice on commit drop as
    select id
    from pending_changes p
    where drill
      and not exists (select from pending_changes o where p.id in (o.supersedes, o.superseded_by))
      and not exists (select from research_runs r where r.pending_change_id = p.id);
  delete from shown_changes where pending_change_id in (select id from practice);
  delete from delivered_outcomes where pending_change_id in (select id from practice);
  delete from pending_changes where id in (select id from practice);
  alter table pending_changes drop column drill;

  alter table pending_changes validate constraint pending_changes_derivation_check;
  alter table pending_changes rename constraint pending_changes_check1 to pending_changes_decided_has_time;
  alter table pending_changes rename constraint pending_changes_check2 to pending_changes_approved_has_version;
  alter table delivered_outcomes rename constraint told_outcomes_pkey to delivered_outcomes_pkey;
  alter table delivered_outcomes rename constraint told_outcomes_turn_id_fkey to delivered_outcomes_turn_id_fkey;
  alter table delivered_outcomes
    rename constraint told_outcomes_pending_change_id_fkey to delivered_outcomes_pending_change_id_fkey;
  drop index mail_messages_sender;
end $$;
