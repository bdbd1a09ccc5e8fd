// Which change wrote what of a text.

import type { Provenance } from './card.ts'
import type { Derivation } from './decision.ts'

/** The draft by way of which a change came in. */
export type BlameDraft = {
  pending_change_id: string
  agent: { slug: string; name: string }
  /** How the draft came to be: `edited` holds words of the owner’s too. */
  derivation: Derivation
  approved: { at: string; by: string }
  /** The agent’s own words; `null` for whom they are no business of, as are the three below. */
  note: string | null
  /** What the owner had asked in the turn that made the draft. */
  asked: string | null
  /** `conversation`: `null` when it was deleted. */
  turn: { id: string; conversation: { id: string; title: string } | null } | null
  /** What the agent had been given when it made the draft. */
  provenance: Provenance | null
}

/** A change that wrote some of the text. */
export type BlameChange = {
  /** Of its audit row. */
  seq: number
  version: number | null
  at: string
  /** `owner`, `agent:<slug>`, `system:<name>`. */
  actor: string
  action: string
  /** Whether the words came in from outside, as by an import. */
  outside: boolean
  draft: BlameDraft | null
}

/** A stretch of the text that one change wrote. Counted in UTF-16 units, as a string of JavaScript is. */
export type BlamePassage = {
  start: number
  end: number
  /** The line that it begins in, counted from 1. */
  line: number
  text: string
  /** The change that wrote it; `null` for what is older than what was looked through. */
  seq: number | null
}

export type Blame = {
  version: number
  /** The field that holds the text. */
  field: string
  /** In the order of the text, nothing left out. */
  passages: BlamePassage[]
  /** Each once, the latest first. */
  changes: BlameChange[]
  /** `false`: the history is longer than what is looked through, and some of the text is older. */
  complete: boolean
}
