-- A step is written once in the middle of a turn and read in the next few. Compressing a search result of 9,000
-- characters costs more than everything else about its insert: 0.45 ms of CPU on PGlite, 0.21 ms without.
alter table turn_steps alter column content set storage external;
