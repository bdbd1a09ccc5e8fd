// What a person is shown of a pending change. Made by the server from the stored payload and the current row; no
// word of it is the agent's but `note`, which is plain text and says whose it is.

import type { ChangeSince, Conflict, Decision, Derivation } from './decision.ts'
import type { UndoMark } from './history.ts'

export type ChangeAction = 'create' | 'update' | 'delete'

export type ChangeStatus =
  | 'pending'
  | 'approved'
  | 'rejected'
  | 'superseded'
  | 'retracted'
  | 'expired'
  | 'obsolete'

/** Two sides of one thing: as it is, and as it would be. */
export type Sides<Value> = { before: Value; after: Value }

export type CardField = {
  name: string
  /** The name for a person: "Due". */
  label: string
  /** `null` as a value and an absent side are told apart by the card's `operation`. */
  before: unknown
  after: unknown
  /** Characters at the end of a very long value that this card leaves out; `null` when both sides are whole. */
  cut: Sides<number> | null
  /** Both sides in words: a status, a day, the title of a reference. `null` for a text, which `text` tells. */
  words: Sides<string> | null
  /** For a text, a short one-line value aside: what changes in it. */
  text: TextChange | null
  /** For a field that holds an address: where it led and where it leads. In a text they stand at the hunks. */
  links: LinkChange[]
}

export type ChangeCounts = {
  words_added: number
  words_removed: number
  lines_added: number
  lines_removed: number
}

export type TextChange = {
  hunks: CardHunk[]
  totals: ChangeCounts & { hunks: number }
  /** What of the totals stands in no hunk of this card; `null` when the card is whole. */
  folded: (ChangeCounts & { hunks: number }) | null
  /** Lines below the last hunk's context. */
  unchanged_below: number
}

/** How a stretch of text is read: prose word by word, code and front matter by lines, a table by cells. */
export type HunkKind = 'prose' | 'code' | 'front_matter' | 'table' | 'mixed'

export type CardHunk = {
  /** The number that a decision names it by. */
  index: number
  kind: HunkKind
  /** The headings that it stands under, from the outermost in. */
  heading_path: string[]
  /** The first line, counted from 1, and the number of lines that go and that come. */
  lines: Sides<{ start: number; count: number }>
  /** Unchanged lines between the hunk before (or the beginning) and `context.above`. */
  unchanged_above: number
  /** Unchanged lines around it, without their line breaks. */
  context: { above: string[]; below: string[] }
  /** What goes and what comes. Without the added parts it is the text before, without the removed ones the text after. */
  parts: DiffPart[]
  /** For a table: its rows that change, each cell with both sides. */
  table: TableChange | null
  counts: ChangeCounts
  /** Links that change, come or go. */
  links: LinkChange[]
  /** Links that there is no room to list. */
  more_links: number
  /** Quotations in what it adds, each held against the stored texts. */
  quotes: QuoteCheck[]
}

export type DiffPart = {
  kind: 'same' | 'removed' | 'added'
  text: string
  /** Characters of this part that are left out after `text`; 0 for none. */
  folded: number
}

export type TableChange = {
  /** The cells of the header row; empty when the table has none above. */
  columns: string[]
  rows: { kind: 'changed' | 'added' | 'removed'; cells: Sides<string | null>[] }[]
}

export type LinkChange = {
  kind: 'link' | 'image' | 'wikilink' | 'embed' | 'html'
  /** What is shown of it; the target itself for a bare address. */
  label: string
  /** `null` for one that comes, or goes. */
  before: string | null
  after: string | null
  /** Whose server it is; `null` for a target within Void. */
  hosts: Sides<string | null>
}

export type QuoteVerdict = 'verbatim' | 'altered' | 'spliced' | 'misattributed' | 'not_found' | 'unchecked'

export type QuoteCheck = {
  quote: string
  verdict: QuoteVerdict
  /** The sentence for a person. */
  message: string
  /** What the text says it is from; `null` when it names nothing. */
  attributed_to: string | null
  /** Where the words stand, or what comes nearest. */
  source: { entity_type: string; entity_id: string; title: string } | null
  /** The words of that source which come nearest, for a quotation that is not verbatim. */
  nearest: string | null
}

export type WarningCode =
  | 'link_changed'
  | 'link_disguised'
  | 'unsafe_link'
  | 'remote_image'
  | 'raw_html'
  | 'hidden_characters'
  | 'mixed_script'
  | 'large_deletion'
  | 'white_space_only'
  | 'has_backlinks'
  | 'has_children'
  | 'edited_lately'
  | 'quote_unfaithful'
  | 'untrusted_sources'

/** What deserves a second look. Found by rules in the payload and the rows, never by a model. */
export type CardWarning = {
  code: WarningCode
  /** A plain sentence. What it quotes of the draft has its hidden characters written out, as `[U+202E]`. */
  message: string
  /** Where; `null` for the change as a whole. */
  field: string | null
  hunk: number | null
}

/** Something that the agent had been given when it made the draft. */
export type ProvenanceSource = {
  entity_type: string
  entity_id: string
  title: string
  /** `null`: nobody knows any more. */
  origin: string | null
  untrusted: boolean
  /** How it came by it. */
  given_by: 'read' | 'search' | 'view' | 'tool'
}

export type Provenance = {
  /** `false`: the draft was made outside a turn, so what was read before it is unknown, which is not the same as clean. */
  known: boolean
  sources: ProvenanceSource[]
  /** Sources that there is no room to list. */
  more: number
  /** From untrusted sources: the passage nearest to what the draft writes. */
  passages: {
    entity_type: string
    entity_id: string
    title: string
    text: string
    /** Of the draft's words, how many stand in it: as a share, 0 to 1, and as a number. */
    share: number
    shared_words: number
  }[]
  quotes: (QuoteCheck & { field: string })[]
}

export type Card = {
  pending_change_id: string
  changeset_id: string
  operation: ChangeAction
  entity_type: string
  entity_id: string
  title: string
  space: { id: string; name: string }
  /** One plain line: what approving does. */
  summary: string
  fields: CardField[]
  /** What a new one also gets, because the draft leaves it out and the kind has it so. */
  defaults: { name: string; label: string; value: unknown; words: string }[]
  warnings: CardWarning[]
  provenance: Provenance
  /** Whether parts are left out, each counted where it would stand; the whole card is one request away. */
  folded: boolean
  /** The hash of the payload that this card was made from; sent back with the decision. */
  payload_sha256: string
  status: ChangeStatus
  /** Set when the entity has moved on since the draft was made, or is gone (`current_version` null). */
  stale: Stale | null
  /** How it came to be, which one it takes the place of, and which one took its place. */
  derivation: Derivation
  supersedes: string | null
  superseded_by: string | null
  /** What a merge left to the owner: approving needs a choice for each. */
  conflicts: Conflict[]
  agent: { id: string; slug: string; name: string }
  /** The titles of the entities that reference fields name, by id. */
  references: Record<string, string>
  /** The agent's own words. */
  note: string
  created_at: string
  /** Who closed it, when and why; `null` while it waits. `by` is empty where nobody decided. */
  decided: { at: string; by: string; reason: string | null } | null
  /** The undo that took back what was approved, where it still stands. */
  undone: UndoMark | null
  /** Once it is decided: whether it was a drill, which changes nothing whatever is decided. */
  drill: boolean
}

/** `since`: what happened meanwhile, the latest first; left out where only a line is shown. */
export type Stale = { base_version: number; current_version: number | null; since?: ChangeSince[] }

/** A card in a list: all of it but what it would change. */
export type CardLine = Omit<
  Card,
  'fields' | 'defaults' | 'warnings' | 'provenance' | 'folded' | 'references' | 'note' | 'conflicts'
>

/** A pending change as the API returns it. */
export type PendingChange = {
  id: string
  space_id: string
  agent_id: string
  conversation_id: string | null
  turn_id: string | null
  tool_use_id: string | null
  changeset_id: string
  entity_type: string
  entity_id: string
  action: ChangeAction
  payload: Record<string, unknown>
  payload_sha256: string
  base_version: number | null
  reason: string
  status: ChangeStatus
  created_at: string
  decided_at: string | null
  decided_by: string | null
  decision: Decision | null
  /** What the agent had been given when it made the draft. */
  provenance: Provenance
  result_version: number | null
  /** Once it is decided: whether it was a drill. */
  drill: boolean
  derivation: Derivation
  /** The one whose place it takes. */
  supersedes: string | null
  /** The one that took its place, or that holds the rest of it. */
  superseded_by: string | null
  conflicts: Conflict[]
}
