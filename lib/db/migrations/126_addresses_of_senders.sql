-- Whether anybody else uses a sender's name is read from the two ends of the index, however much mail there is of it.
create index if not exists mail_messages_sender_address
  on mail_messages (space_id, lower(from_name), lower(from_address)) where deleted_at is null;
