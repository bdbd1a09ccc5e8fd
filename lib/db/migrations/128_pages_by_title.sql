-- A Space's pages by title are read in order, and counted, without any other page: before, each list sorted all of them.

create index if not exists pages_by_title on pages (space_id, lower(title), id) where deleted_at is null;
