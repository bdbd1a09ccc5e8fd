-- Who runs which background job. A lease that has expired may be taken by any server.
create table job_leases (
  name text primary key,
  owner uuid not null,
  lease_until timestamptz not null
);

-- The queue that did this before. The schema has its maker's default name, so it stays if it holds queues of others.
do $$
declare
  others boolean;
begin
  if to_regclass('pgboss.queue') is null then
    return;
  end if;
  execute $q$
    select exists (
      select from pgboss.queue where name <> 'embed-passages' and name not like '\_\_pgboss\_\_%'
    )
  $q$ into others;
  if not others then
    drop schema pgboss cascade;
  end if;
end $$;
