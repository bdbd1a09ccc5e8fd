-- The model connection that the owner set; without a row that of the configuration holds.
create table model_settings (
  only_row boolean primary key default true check (only_row),
  -- null: that of the provider itself.
  base_url text check (length(base_url) <= 2000),
  -- Where to find the key, never the key; null: none.
  key_reference text check (length(key_reference) <= 1000),
  -- The key is that of the configuration, as long as the address is.
  configured_key boolean not null,
  model text not null check (length(model) between 1 and 200),
  small_model text check (length(small_model) between 1 and 200)
);
