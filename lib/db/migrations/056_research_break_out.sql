-- The beginning of a message to a run that waits which is about something else, kept until the owner has said whether to
-- leave the run for it. Empty: the owner said no, and the next message is for the run. It stays with a run that was left,
-- for the turn that left it.
alter table research_runs
  add column break_out text check (char_length(break_out) <= 500),
  add check (break_out is null or status in ('paused', 'stopped'));
