// What tools may reach, as functions already bound to the database. Every one of them checks the actor's Spaces.

import type { Actor } from '../../auth/actor.ts'
import type { GivenText } from '../../changes/given-texts.ts'

/** A passage with its place: `text` is a contiguous piece of the entity's stored text. */
export type Passage = {
  entity_type: string
  entity_id: string
  title: string
  /** Headings from the outermost in, without the title. */
  heading_path: string[]
  ordinal: number
  text: string
  score: number
}

export type SearchRequest = {
  space_id: string
  q: string
  kinds?: string[]
  statuses?: string[]
  /** ISO 8601: last changed at or after, and before. */
  changed_after?: string
  changed_before?: string
  /** Nothing of this entity. */
  without?: string
  limit?: number
}

export type ReadRequest = {
  space_id: string
  kind: string
  id: string
  /** 1-based and inclusive lines of the text; left out: from the beginning. */
  from_line?: number
  to_line?: number
}

/** An entity as a tool reads it: named fields and its text, cut into blocks that can be cited one by one. */
export type ReadResult = {
  entity_type: string
  entity_id: string
  title: string
  version: number | null
  /** The fields besides the long text, in the words of the API. */
  fields: Record<string, unknown>
  /** Consecutive pieces of the text: joined with '\n\n' they are the lines that were read. */
  blocks: string[]
  from_line: number
  to_line: number
  total_lines: number
  /** Whether lines were left out after `to_line`. */
  cut: boolean
  /** Entities that link here. */
  backlinks: { entity_type: string; entity_id: string; title: string }[]
  /** Whether the text came from outside (import, mail, web, another tool). */
  origin: string
}

export type ProposeRequest = {
  space_id: string
  entity_type: string
  action: 'create' | 'update' | 'delete'
  entity_id?: string
  payload?: Record<string, unknown>
  edits?: { old_text: string; new_text: string }[]
  /** A draft of the agent's own that waits, to be replaced by this one. */
  supersedes?: string
  reason: string
  turn: { id: string; conversation_id: string } | null
  /** What the agent had been given to read; left out: nobody knows. */
  given?: readonly GivenText[] | undefined
  tool_use_id: string | null
}

export type ProposeResult = {
  pending_change_id: string
  entity_type: string
  action: 'create' | 'update' | 'delete'
  /** For a create: the id that the entity will have, so that later drafts can name it. */
  entity_id: string
  /** The server's own plain line of what would happen. */
  summary: string
  status: string
  /** The draft of the agent's own that this one took the place of. */
  supersedes: string | null
}

export type ListRequest = {
  space_id: string
  /** Left out: how many of each kind there are, and the pages at the top. */
  kind?: string
  status?: string
  /** Pages right below this one. */
  below?: string
  /** The id that the list before ended with. */
  after?: string
  limit: number
}

/** A thing without its text. */
export type Listed = {
  kind: string
  id: string
  title: string
  status: string | null
  due_on: string | null
  /** Whether pages stand below it. */
  has_children: boolean
}

export type ListResult = {
  /** How many of each kind the Space holds. */
  counts: Record<string, number>
  items: Listed[]
  more: boolean
}

/** A thing that is there, named. */
export type Named = { kind: string; id: string; title: string; version: number }

/** Each throws `AppError` for what the model can mend (its message is shown to the model). */
export type ToolServices = {
  search(actor: Actor, request: SearchRequest): Promise<Passage[]>
  read(actor: Actor, request: ReadRequest): Promise<ReadResult>
  list(actor: Actor, request: ListRequest): Promise<ListResult>
  /** Throws a 404 `AppError` for what is not in the Space. */
  name(actor: Actor, request: { space_id: string; kind: string; id: string }): Promise<Named>
  /** The thing in whose stored text these words stand, white space aside; `null` when they do not. Throws a 404. */
  stands(
    actor: Actor,
    request: { space_id: string; kind: string; id: string; text: string },
  ): Promise<Named | null>
  propose(actor: Actor, request: ProposeRequest): Promise<ProposeResult>
  /** Withdraws a draft of the agent's own that waits. */
  retract(actor: Actor, id: string): Promise<ProposeResult>
}
