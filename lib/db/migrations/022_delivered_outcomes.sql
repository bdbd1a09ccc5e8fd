-- Plain names: the outcomes of drafts that were delivered to their agent, each with its line in the message.
alter table told_outcomes rename to delivered_outcomes;
alter table delivered_outcomes rename column told to line;
alter index told_outcomes_change rename to delivered_outcomes_change;
