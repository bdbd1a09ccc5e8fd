-- The longest answer that the owner set for the connected model, in tokens. Null: the model's own.
alter table model_settings add column max_tokens integer check (max_tokens > 0);
