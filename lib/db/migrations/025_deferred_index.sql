-- Entities whose text is too long to be indexed while it is written: their first passage says so until all are.
create index chunks_deferred on chunks (entity_id) where analysis = 'deferred';
