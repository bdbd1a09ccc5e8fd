// What tools may reach, as functions already bound to the database. Every one of them checks the actor's Spaces.

import type { Actor } from '../../actor.ts'
import type { Given } from '../../changes/grounding/given-text.ts'
import type { Outcome } from '../../changes/list-outcomes.ts'
import type { Proposal } from '../../changes/propose/proposal.ts'
import type { Revision } from '../../changes/propose/revise.ts'
import type { Card } from '../../contract/changes/card.ts'
import type { PendingChangeWithCard } from '../../contract/changes/pending-change.ts'
import type { ViewedList } from '../../contract/companion/open-desk.ts'
import type { PanelView } from '../../contract/events/effects.ts'
import type { Passage } from '../../contract/space/search.ts'
import type { FoundMail, MailSearch, MailThreadRead, MailThreadRequest } from './mail-services.ts'

type SearchRequest = {
  space_id: string
  q: string
  kinds?: string[]
  statuses?: string[]
  /** ISO 8601: last changed at or after, and before. */
  changed_after?: string
  changed_before?: string
  /** Nothing of this entity. */
  without?: string
  /** `entity`: each thing once, with its best passage. */
  group?: 'passage' | 'entity'
  limit?: number
}

/** A passage and its lines in the text that was indexed, 1-based and inclusive. */
export type FoundPassage = Passage & { start_line: number; end_line: number }

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

export type ListRequest = {
  space_id: string
  /** Left out: how many of each kind there are, and the pages at the top. */
  kind?: string
  status?: string
  /** Pages right below this one. */
  below?: string
  /** Pages by what they hold as data, such as "rating >= 7"; all of these. */
  where?: readonly string[]
  /** A property; with "-" before it, the largest value first. */
  sort?: string
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
  /** Whether it has subpages. */
  has_children: boolean
  /** Its properties that were asked about, as they are shown. */
  properties?: Record<string, string>
}

export type ListResult = {
  /** How many pages match; left out where nothing was asked of their properties. */
  found?: number
  /** How many of each kind the Space holds. */
  counts: Record<string, number>
  items: Listed[]
  more: boolean
}

type OutcomesRequest = { space_id: string; id?: string; after?: string; limit: number }

/** A thing that is there, named. */
export type Named = { kind: string; id: string; title: string; version: number }

/** A tool of a source, in its server's own words. */
export type OutsideTool = {
  source_id: string
  source: string
  name: string
  /** Whether each call waits for the owner. */
  asks: boolean
  title?: string | undefined
  description?: string | undefined
  input_schema: Record<string, unknown>
}

export type FoundTools = {
  /** The best of them. */
  tools: OutsideTool[]
  /** How many match, and how many there are. */
  matching: number
  total: number
  /** Names of the sources that failed when they were last asked. */
  problems: string[]
}

export type OutsideCall = {
  space_id: string
  /** Their names. */
  source: string
  tool: string
  arguments: Record<string, unknown>
  turn: { id: string; conversation_id: string } | null
  tool_use_id: string | null
  /** Why, for the owner. */
  reason: string
  /** What the agent had been given to read; left out: not known. */
  given?: Given | undefined
  signal: AbortSignal
}

/** A call that waits for the owner. */
export type ProposedCall = { pending_change_id: string; card: Card }

/** What a tool of a source answered, as it is stored. */
export type OutsideResult = {
  id: string
  source_id: string
  title: string
  text: string
  /** Whether it was longer than what is stored. */
  cut: boolean
  /** Whether the tool, or its source, failed. */
  failed: boolean
}

/** A view of the Space as the owner sees it. */
export type ViewRead = {
  view: PanelView
  /** What is searched for. */
  q: string | null
  filters: Record<string, string>
  /** In sight; where the browser did not say what is, the first of the list. */
  rows: Listed[]
  inSight: boolean
  selected: Listed[]
}

/** Each throws `AppError` for what the model can mend (its message is shown to the model). */
export type ToolServices = {
  search(actor: Actor, request: SearchRequest): Promise<FoundPassage[]>
  read(actor: Actor, request: ReadRequest): Promise<ReadResult>
  list(actor: Actor, request: ListRequest): Promise<ListResult>
  /** What a view shows. */
  readView(actor: Actor, request: { space_id: string; view: ViewedList }): Promise<ViewRead>
  /** Throws a 404 `AppError` for what is not in the Space. */
  name(actor: Actor, request: { space_id: string; kind: string; id: string }): Promise<Named>
  /** The entity whose stored text contains these words, as `holdsText` says; `null` when it does not. Throws a 404. */
  findQuotedText(
    actor: Actor,
    request: { space_id: string; kind: string; id: string; text: string },
  ): Promise<Named | null>
  /** Stores a draft for the owner to decide; nothing else changes. */
  propose(actor: Actor, proposal: Proposal): Promise<PendingChangeWithCard>
  /** What became of the agent's own drafts in a Space, newest first; `id`: of that one. */
  outcomes(actor: Actor, request: OutcomesRequest): Promise<Outcome[]>
  /** The tools of the Space's sources that match the words. */
  findOutsideTools(actor: Actor, request: { space_id: string; q: string }): Promise<FoundTools>
  /** Calls one of them, or has the call wait for the owner. What it answers is stored; a source that fails is a result. */
  callOutsideTool(actor: Actor, call: OutsideCall): Promise<OutsideResult | ProposedCall>
  /** What a call answered before. */
  readOutsideResult(actor: Actor, request: { space_id: string; id: string }): Promise<OutsideResult>
  /** Messages of mail by words and by what they are; at most eight passages. */
  searchMail(actor: Actor, request: MailSearch): Promise<FoundMail[]>
  /** The messages of a thread, oldest first, from one on. */
  readMailThread(actor: Actor, request: MailThreadRequest): Promise<MailThreadRead>
  /** Withdraws a draft of the agent's own that waits. */
  retract(actor: Actor, id: string): Promise<PendingChangeWithCard>
  /** Puts a newer draft in the place of one of the agent's own; omitted fields stay as drafted. */
  revise(actor: Actor, revision: Revision): Promise<PendingChangeWithCard>
}
