-- Pages that the owner keeps at hand in the navigation of a Space, in an order of their own.
create table favourites (
  space_id uuid not null,
  page_id uuid not null,
  place integer not null,
  primary key (space_id, page_id),
  foreign key (space_id, page_id) references pages (space_id, id) on delete cascade
);
