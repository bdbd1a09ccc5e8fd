-- Addresses of the owner that no account of the Space has: an import of mail said so.
create table mail_own_addresses (
  space_id uuid not null references spaces (id),
  address text not null check (address = lower(address) and length(address) between 1 and 320),
  primary key (space_id, address)
);
