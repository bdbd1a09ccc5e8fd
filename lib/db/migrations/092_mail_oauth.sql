-- Accounts that sign in by OAuth (XOAUTH2): where their access tokens come from, and for which client. `password` refers
-- to the refresh token then; the client's secret is a reference, too.
alter table mail_accounts add column oauth jsonb check (oauth is null or jsonb_typeof(oauth) = 'object');
