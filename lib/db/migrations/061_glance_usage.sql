-- What the glance used is noted like the other calls beside the answers.
alter table side_calls drop constraint side_calls_purpose_check;
alter table side_calls add constraint side_calls_purpose_check
  check (purpose in ('routing', 'naming', 'summary', 'test', 'glance'));
