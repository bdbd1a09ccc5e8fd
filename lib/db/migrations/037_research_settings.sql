-- What the owner has set of the rules of research for a companion; what is not in it is the default.
create table research_settings (
  agent_id uuid primary key references agents (id),
  overrides json not null,
  updated_at timestamptz not null default now()
);
