-- A Space's conversations in the order of the list, and the one that its home offers to go on with. Both read all
-- conversations of the Space, and the home all messages of the server as well.
create index if not exists conversations_by_activity on conversations (space_id, last_activity_at desc, id desc);
