-- Labels and a flag that the owner gives a conversation.
alter table conversations add column labels text[] not null default '{}';
alter table conversations add column flagged boolean not null default false;
alter table conversations add constraint conversations_labels check (cardinality(labels) <= 10) not valid;

-- The last turn after which the model has yet to describe the conversation. Null: it is described.
alter table conversations add column naming_owed uuid;
