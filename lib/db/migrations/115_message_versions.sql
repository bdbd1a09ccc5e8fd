-- Versions of a message: a question that is edited or asked again takes the place of its turn, which is put aside with
-- all that followed it there, and can be shown again. No foreign keys: a turn goes with its conversation, and so do both.
alter table turns
  -- The first turn at its place; null: there is no other version.
  add column version_of uuid,
  -- The version with which it was put aside, which may be itself; null: shown, and part of what the model reads.
  add column aside_with uuid;
