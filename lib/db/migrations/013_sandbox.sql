-- Whether the program of a source reaches other machines, and whether the owner lets it run without a sandbox. Null: it
-- was added before this was asked, and could reach the network.
alter table sources
  add column network boolean,
  add column unconfined boolean not null default false;
