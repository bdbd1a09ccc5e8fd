-- Which protocol the connected server speaks, and what each server and model was found to take.

alter table model_settings
  add column wire text not null default 'messages' check (wire in ('messages', 'chat'));

create table model_servers (
  wire text not null check (wire in ('messages', 'chat')),
  -- Without credentials; empty: the provider's own.
  address text not null check (length(address) <= 2000),
  model text not null check (length(model) between 1 and 200),
  -- Whether it reads passages as blocks; otherwise they go out as text.
  reads_blocks boolean not null,
  -- Null: not known.
  calls_tools boolean,
  calls_several boolean,
  sees_images boolean,
  primary key (wire, address, model)
);
