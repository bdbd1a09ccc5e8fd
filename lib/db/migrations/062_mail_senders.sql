-- Which addresses use a name: a message whose sender calls itself like somebody else is not spoken of.
create index mail_messages_sender on mail_messages (space_id, lower(from_name)) where deleted_at is null;
-- Mail that came since the glance last looked.
create index mail_messages_stored on mail_messages (space_id, created_at) where direction = 'received';
