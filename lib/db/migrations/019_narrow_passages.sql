-- Every candidate of a question is read for its vector alone, so a row that holds little else is read from fewer pages:
-- 112 MB instead of 192 for 100,000 passages of 152 words, which is less than the embedded database keeps in memory.
-- Rows of 1,400 bytes let the text go before the vector would be compressed. Passages that are there already become
-- narrow when they are indexed anew.
alter table chunks
  alter column entity_type set storage main,
  alter column title set storage main,
  alter column heading_path set storage main,
  alter column fingerprint set storage main,
  alter column analysis set storage main,
  set (toast_tuple_target = 1400);
