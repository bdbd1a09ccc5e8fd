// What became of a pending change, and how one came to be.

/**
 * How a pending change came to be: `proposed` by its agent; `revised` by it, in place of an older one; `edited` by the
 * owner, who approved it in the same step; the `rest` of one that was approved in part; `merged` with what had changed
 * since; `resolved` from a merge by the owner's choices; `rescued` as a new page from one whose target was gone.
 */
export type Derivation = 'proposed' | 'revised' | 'edited' | 'rest' | 'merged' | 'resolved' | 'rescued'

/** Which side of a conflict the owner wants: what stands there now, or what the draft says. */
export type Side = 'current' | 'draft'

/**
 * A place that was changed on both sides since the draft was made. Until the owner has chosen, the change keeps the
 * current side; its payload holds no marks.
 */
export type Conflict = {
  /** Its name in the owner's `choices`: its place among the conflicts, from 0. */
  index: number
  field: string
  /** For a stretch of a long text: where the current side begins in the text that the change results in, in UTF-16 units. */
  at: number | null
  /** The three sides: whole lines of a long text, else the value of the field. */
  base: unknown
  current: unknown
  draft: unknown
}

/** What the owner decided, as it was asked for. A repeated request is the same decision when all of it is the same. */
export type Decision = {
  decision: 'approve' | 'reject' | 'review_again'
  reason: string | null
  /** Approved in part: the fields, and of a long text the hunks by number. Left out: all. */
  fields?: string[]
  hunks?: Record<string, number[]>
  /** Approved with other values than the draft's: the SHA-256 of those values. The values are the successor's. */
  edited_sha256?: string
  /** The sides chosen, by the index of the conflict. */
  choices?: Record<string, Side>
}

/** One change of an entity since a draft of it was made. */
export type ChangeSince = {
  at: string
  /** `owner`, `agent:scribe`, `system:import` … */
  by: string
  action: string
  version: number | null
  /** The draft that was approved, if it was one. */
  pending_change_id: string | null
  /** `null` on both sides of a text that is too long for a list: the history has it. */
  fields: { name: string; before: unknown; after: unknown; long: boolean }[]
}
