-- When a file that was handed over was changed, as its sender says.
alter table import_uploads add column modified_at timestamptz;
