-- How a task repeats, as the part of an RRULE that lib/text/dates/recurrence.ts reads; null: it does not.
alter table tasks add column recurrence text;
