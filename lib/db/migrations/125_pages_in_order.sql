-- The top of a Space's tree and its pages by their last change are read in order, as many as are shown: before, each
-- sorted all pages of the Space.

create index if not exists pages_at_top on pages (space_id, position, lower(title), id)
  where parent_id is null and deleted_at is null;

create index if not exists pages_in_trash on pages (space_id, id) where deleted_at is not null;

-- One of the two holds a page: an import of many does not stand before what somebody worked on.
create index if not exists pages_worked_on on pages (space_id, updated_at, id)
  where deleted_at is null and updated_by <> 'system:import';

create index if not exists pages_imported on pages (space_id, updated_at, id)
  where deleted_at is null and updated_by = 'system:import';
