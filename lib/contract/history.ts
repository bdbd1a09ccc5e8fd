// What became of an entity, and what taking a change back answers with.

/** What an undo made. */
export type Undone = {
  entity_type: string
  entity_id: string
  space_id: string | null
  /** The audit row that the undo made; `null` when there was nothing left to take back. */
  seq: number | null
  /** What the undo did. */
  did: 'update' | 'delete' | 'restore' | null
  /** The row as it is now. */
  row: Record<string, unknown>
  /** The draft that the change came from, and whether it is taken back now. */
  draft: { pending_change_id: string; undone: boolean } | null
}

/** One field of a change that is to be taken back and was changed again since. */
export type UndoField = {
  name: string
  /** As the change left it. */
  base: unknown
  /** As it is now. */
  theirs: unknown
  /** As it was before the change. */
  ours: unknown
  /** Whether both go together; then `merged` is what an undo would make of it. */
  clean: boolean
  merged: unknown
  /** Of a text: the places that both changed. */
  conflicts: { base: string; ours: string; theirs: string }[]
}

/** The `details` of a 409 `undo_conflict`. */
export type UndoConflict = {
  seq: number
  entity_type: string
  entity_id: string
  title: string
  /** Sent back with the owner's choice. */
  version: number
  action: 'update' | 'delete'
  fields: UndoField[]
  since: { seq: number; at: string; actor: string; action: string; fields: string[] }[]
}

/** How a draft that was approved was taken back. */
export type UndoMark = { seq: number; at: string; by: string }

/** Why a version is there, where it came from a draft. */
export type VersionReason = {
  pending_change_id: string
  agent: { slug: string; name: string }
  /** The agent's own words. */
  note: string
  conversation: { id: string; title: string } | null
  /** What the owner had asked in the turn that made the draft. */
  asked: string | null
}

/** One version of an entity. */
export type EntityVersion = {
  seq: number
  version: number | null
  at: string
  /** `owner`, `agent:<slug>`, `system:<name>`. */
  actor: string
  action: string
  /** The names of the fields that it changed. */
  fields: string[]
  /** The rows that it takes back. */
  undoes: { seq: number; since: number } | null
  /** The undo that took it back, where that still stands. */
  undone: UndoMark | null
  reason: VersionReason | null
}

/** What differs between two versions. `null` on both sides of `deleted_at`: in neither was it in the trash. */
export type VersionDiff = {
  from: number
  to: number
  fields: { name: string; before: unknown; after: unknown }[]
}
