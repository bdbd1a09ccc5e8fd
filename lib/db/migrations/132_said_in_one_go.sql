-- What is said is indexed some conversations at a time. Their words are put into these indexes together when a batch is
-- done (`mergeSaid`, lib/db/repos/chunks.ts), each word once for all of them; until then they are in a list beside it.

alter index chunks_words_said set (fastupdate = on);
alter index chunks_words_around set (fastupdate = on);
