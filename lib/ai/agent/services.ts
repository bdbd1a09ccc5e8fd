// The services that tools may use, already bound to the database. Each of them checks the actor's Spaces.

import type { Given } from '../../changes/grounding/provenance.ts'
import type { Outcome } from '../../changes/outcomes.ts'
import type { Revision } from '../../changes/propose/own-drafts.ts'
import type { Proposal } from '../../changes/propose/proposal.ts'
import type { Card } from '../../contract/changes/card.ts'
import type { PendingChangeWithCard } from '../../contract/changes/pending-change.ts'
import type { ViewedList } from '../../contract/companion/open-desk.ts'
import type { PanelView } from '../../contract/events/effects.ts'
import type { MailDirection, MailPerson } from '../../contract/mail.ts'
import type { Passage } from '../../contract/space/search.ts'
import type { Actor } from '../../core/actor.ts'
import type { AgentResearch } from './agent-research.ts'

type SearchRequest = {
  space_id: string
  q: string
  kinds?: string[]
  statuses?: string[]
  /** ISO 8601: last changed at or after, and before. */
  changed_after?: string
  changed_before?: string
  /** Excludes this entity. */
  without?: string
  /** `entity`: each entity once, with its best passage. */
  group?: 'passage' | 'entity'
  limit?: number
}

/** A passage and its lines in the text that was indexed, 1-based and inclusive. */
export type FoundPassage = Passage & { start_line: number; end_line: number }

export type ReadRequest = {
  space_id: string
  kind: string
  id: string
  /** Lines of the text, 1-based and inclusive. Default: from the beginning. */
  from_line?: number
  to_line?: number
  /** Maximum tokens of the text with its line numbers. Default: a bound of characters alone. */
  max_tokens?: number
}

/** An entity as a tool reads it: named fields and its text, cut into blocks that can be cited one by one. */
export type ReadResult = {
  entity_type: string
  entity_id: string
  title: string
  version: number | null
  /** The fields besides the long text, as the API names them. */
  fields: Record<string, unknown>
  /** Consecutive pieces of the text; joined with '\n\n' they are the lines that were read. */
  blocks: string[]
  /** The line that each block begins at. */
  block_lines: number[]
  from_line: number
  to_line: number
  total_lines: number
  /** Whether more lines follow after `to_line`. */
  cut: boolean
  /** Entities that link here. */
  backlinks: { entity_type: string; entity_id: string; title: string }[]
  /** The text's origin: `owner`, or outside (import, mail, web, another tool). */
  origin: string
}

export type ListRequest = {
  space_id: string
  /** Default: the counts of each kind, and the top-level pages. */
  kind?: string
  status?: string
  /** The page whose direct subpages are listed. */
  below?: string
  /** Conditions on the pages' properties, such as "rating >= 7"; all must hold. */
  where?: readonly string[]
  /** The property to sort by; with a leading "-", in descending order. */
  sort?: string
  /** The last id of the previous page. */
  after?: string
  limit: number
}

/** An entity without its text. */
export type Listed = {
  kind: string
  id: string
  title: string
  status: string | null
  due_on: string | null
  /** Whether it has subpages. */
  has_children: boolean
  /** The properties that the request names, as they are shown. */
  properties?: Record<string, string>
}

export type ListResult = {
  /** How many pages match. Only for a request with conditions or a sort order. */
  found?: number
  /** How many of each kind the Space holds. */
  counts: Record<string, number>
  items: Listed[]
  more: boolean
}

type OutcomesRequest = { space_id: string; id?: string; after?: string; limit: number }

/** An existing entity and its title. */
export type Named = { kind: string; id: string; title: string; version: number }

/** A tool of a source, as its server describes it. */
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
  /** The best matches. */
  tools: OutsideTool[]
  /** How many tools match. */
  matching: number
  total: number
  /** Names of the sources whose last request failed. */
  problems: string[]
}

export type OutsideCall = {
  space_id: string
  /** Name of the source. */
  source: string
  tool: string
  arguments: Record<string, unknown>
  turn: { id: string; conversation_id: string } | null
  tool_use_id: string | null
  /** The reason, for the owner. */
  reason: string
  /** The texts that the agent has read. Default: unknown. */
  given?: Given | undefined
  signal: AbortSignal
  /** Nobody is there to be asked: a tool that waits for the owner is refused. Default: its call is drafted. */
  unattended?: true
}

/** A call that waits for the owner's approval. */
export type ProposedCall = { pending_change_id: string; card: Card }

/** The stored result of a source's tool. */
export type OutsideResult = {
  id: string
  source_id: string
  title: string
  text: string
  /** Whether the result was longer than the stored text. */
  cut: boolean
  /** Whether the tool, or its source, failed. */
  failed: boolean
}

/** A view of the Space as the owner sees it. */
export type ViewRead = {
  view: PanelView
  /** The search query. */
  q: string | null
  filters: Record<string, string>
  /** The visible rows; if the browser did not report them, the first of the list. */
  rows: Listed[]
  inSight: boolean
  selected: Listed[]
}

export type MailSearch = {
  space_id: string
  /** Default: the latest messages that match the filters. */
  q?: string | undefined
  from?: string | undefined
  to?: string | undefined
  subject?: string | undefined
  /** ISO 8601: sent at or after. */
  after?: string | undefined
  /** ISO 8601: sent before. */
  before?: string | undefined
  has_attachment?: boolean | undefined
}

/** A message, without its text. */
export type MailFacts = {
  id: string
  thread_id: string
  subject: string
  from: MailPerson
  to: MailPerson[]
  sent_at: string
  direction: MailDirection
  /** File names. */
  attachments: string[]
}

/** A passage of a message. */
export type FoundMail = MailFacts & { ordinal: number | null; text: string }

export type MailThreadRequest = {
  space_id: string
  /** The id of the thread, or of a message in it. */
  id: string
  /** The first message to return, 1-based. */
  message: number
  /** The first line of that message, 1-based. */
  line: number
  /** An attachment of that message to read instead, 1-based. */
  attachment?: number | undefined
}

export type ReadMail = MailFacts & {
  /** Its position in the thread, 1-based. */
  number: number
  blocks: string[]
  from_line: number
  to_line: number
  total_lines: number
}

/** The text of an attachment, or a part of it. */
export type ReadAttachment = MailFacts & {
  name: string
  problem: string | null
  blocks: string[]
  from_line: number
  to_line: number
  total_lines: number
}

export type MailThreadRead = {
  id: string
  subject: string
  total: number
  messages: ReadMail[]
  /** The attachment that was requested instead of messages. */
  attachment?: ReadAttachment
  /** Where to continue; `null` at the end. */
  next: { message: number; line: number } | null
}

/** Each throws an `AppError` for an error that the model can fix; its message is shown to the model. */
export type ToolServices = {
  /** Only for external agents. */
  research?: AgentResearch
  /** `missing`: quoted phrases that stand nowhere; the passages have their words. */
  search(actor: Actor, request: SearchRequest): Promise<{ passages: FoundPassage[]; missing: string[] }>
  read(actor: Actor, request: ReadRequest): Promise<ReadResult>
  list(actor: Actor, request: ListRequest): Promise<ListResult>
  /** The contents of a view. */
  readView(actor: Actor, request: { space_id: string; view: ViewedList }): Promise<ViewRead>
  /** What a link with this path or title leads to. Throws a 404 `AppError`. */
  findByPath(actor: Actor, request: { space_id: string; path: string }): Promise<{ kind: string; id: string }>
  /** Throws a 404 `AppError` for what is not in the Space. */
  name(actor: Actor, request: { space_id: string; kind: string; id: string }): Promise<Named>
  /**
   * The entity, if its stored text contains these words; else `null`. `count`: 1 for words that `holdsText` finds, else
   * how often the few words stand there. Throws a 404.
   */
  findQuotedText(
    actor: Actor,
    request: { space_id: string; kind: string; id: string; text: string },
  ): Promise<(Named & { count: number }) | null>
  /** Stores a draft for the owner to decide; nothing else changes. */
  propose(actor: Actor, proposal: Proposal): Promise<PendingChangeWithCard>
  /** The outcomes of the agent's own drafts in a Space, newest first; `id`: only that draft's. */
  outcomes(actor: Actor, request: OutcomesRequest): Promise<Outcome[]>
  /** The tools of the Space's sources that match the words. */
  findOutsideTools(actor: Actor, request: { space_id: string; q: string }): Promise<FoundTools>
  /** Calls one of them, or drafts the call for the owner. Its result is stored; a source that fails is a result. */
  callOutsideTool(actor: Actor, call: OutsideCall): Promise<OutsideResult | ProposedCall>
  /** The stored result of an earlier call. */
  readOutsideResult(actor: Actor, request: { space_id: string; id: string }): Promise<OutsideResult>
  /** Mail messages by words and filters; at most eight passages. */
  searchMail(actor: Actor, request: MailSearch): Promise<FoundMail[]>
  /** The messages of a thread, oldest first. */
  readMailThread(actor: Actor, request: MailThreadRequest): Promise<MailThreadRead>
  /** Withdraws a pending draft of the agent's own. */
  retract(actor: Actor, id: string): Promise<PendingChangeWithCard>
  /** Replaces a draft of the agent's own; omitted fields stay as drafted. */
  revise(actor: Actor, revision: Revision): Promise<PendingChangeWithCard>
}
