-- False where the system does not report what changes in a folder, so that a scan alone finds it.
alter table folders add column watched boolean not null default true;
