-- A passage from a search of the web has an address, and its text is that of a stored tool result.
alter table research_evidence add column address text check (char_length(address) <= 2000);
