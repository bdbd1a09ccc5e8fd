-- How a Space is marked in lists: a colour, and an emoji that stands in place of its first letter; empty: none.
alter table spaces
  add column color text not null default 'violet'
    check (color in ('violet', 'blue', 'teal', 'moss', 'gold', 'rust', 'pink', 'gray')),
  add column emoji text not null default '' check (char_length(emoji) <= 16);
