-- Whether the owner set the policy of a tool. Until then each call waits for the owner: what may be called freely was so far
-- taken from what the server says of itself, and nobody can tell such a policy from the owner's.
alter table source_tools add column decided boolean not null default false;
update source_tools set decided = true where policy = 'off';
update source_tools set policy = 'ask' where policy = 'read';
alter table source_tools add check (decided or policy <> 'read');
