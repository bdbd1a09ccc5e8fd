-- How the texts of a Space are read.

-- Whether single line breaks are shown as breaks. Null: not chosen; an import of a vault whose app shows them so sets it.
alter table spaces add column line_breaks boolean;

-- The encoding that the file of an imported page was read in, where that was a guess.
alter table pages add column read_as text;
