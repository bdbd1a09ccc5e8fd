-- Texts from outside that the owner lets run as commands. The page may be gone, or hold another text by now.
create table command_approvals (
  page_id uuid primary key,
  sha256 text not null,
  approved_at timestamptz not null default now()
);
