-- Whether a server takes alternatives (anyOf) in the description of a tool's arguments. Null: not known.

alter table model_servers add column takes_unions boolean;
