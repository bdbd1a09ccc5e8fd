-- What the owner set of a Space's templates and daily notes; without a row the defaults hold.
create table note_settings (
  space_id uuid primary key references spaces (id),
  templates_page text not null check (char_length(templates_page) between 1 and 200),
  daily_title text not null check (char_length(daily_title) between 1 and 100),
  daily_parent text not null check (char_length(daily_parent) <= 200),
  daily_template text not null check (char_length(daily_template) <= 200)
);
