-- Turns that outlive their server: the log of a turn's events, what a resumption needs of each step, the wish to stop,
-- and messages that wait for their turn.

-- `seq` is the wire's `id:`. Neighbouring deltas are one row, a JSON array of their texts; its `seq` is the last one's,
-- so the row covers as many numbers as it has texts. Kept as text: deltas may end in half a surrogate pair.
create table turn_events (
  turn_id uuid not null references turns (id),
  seq integer not null check (seq > 0),
  type text not null check (type <> ''),
  data text not null,
  primary key (turn_id, seq)
);
alter table turn_events alter column data set storage external;

-- Of a model's message: why it stopped, what it used, and how far the log had come when it was stored.
alter table turn_steps add column stop_reason text;
alter table turn_steps add column usage json;
alter table turn_steps add column event_seq integer not null default 0;

-- `asked` is the message of a queued turn: it becomes a message of the conversation when the turn begins.
alter table turns add column stop_requested_at timestamptz;
alter table turns add column asked json;
alter table turns add constraint turns_queued_asks check ((status = 'queued') = (asked is not null));
create index turns_open on turns (conversation_id, id) where status in ('queued', 'running');

-- What older turns came to, for the model: everything up to and including that message.
alter table conversations add column running_summary text not null default '';
alter table conversations add column summarized_until uuid;
