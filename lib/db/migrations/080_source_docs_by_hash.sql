-- A file that is attached again is found by its bytes.
create index source_docs_sha256 on source_docs (space_id, sha256) where deleted_at is null;
