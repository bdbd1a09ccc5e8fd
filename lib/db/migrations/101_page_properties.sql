-- The tags and properties of a page as data, derived from its text in the transaction that writes it.
create table page_properties (
  page_id uuid primary key,
  space_id uuid not null,
  -- Of the page that it was read from, and how it was read: another reading renews the row.
  version integer not null,
  reading integer not null,
  -- In the form in which they are compared, those above a nested one included, and each as it was written first.
  tags text[] not null,
  tag_names text[] not null,
  -- By name in lower case: { name, type, value, keys, n, s }.
  properties jsonb not null,
  foreign key (space_id, page_id) references pages (space_id, id) on delete cascade,
  check (cardinality(tags) = cardinality(tag_names))
);
create index page_properties_space on page_properties (space_id);
create index page_properties_tags on page_properties using gin (tags);
