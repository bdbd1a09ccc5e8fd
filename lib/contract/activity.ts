/**
 * Where an entry comes from: a change of an entity (audit log), a call that an agent made, something said in a
 * conversation, a draft that was made, the decision on one.
 */
export type ActivitySource = 'change' | 'call' | 'message' | 'draft' | 'decision'

/** What happened. */
export type ActivityEntry = {
  /** `<source>:<id>`; a change is named by its number in the audit log. */
  id: string
  source: ActivitySource
  at: string
  space_id: string | null
  /** `owner`, `agent:<slug>`, `system:<name>`. */
  actor: string
  /** `create`, `update` …, the name of the tool, `ask` or `answer`, or what became of a draft. */
  action: string
  entity_type: string | null
  entity_id: string | null
  /** The title that the entity has now, or that a draft would give it; empty for what has none. */
  title: string
  /** Whether the entity is there, be it in the trash. What a draft would make is not. */
  exists: boolean
  /** The fields that an update changed. */
  fields: string[]
  pending_change_id: string | null
  /** The turn and the conversation that it belongs to. */
  turn_id: string | null
  conversation_id: string | null
  /** The call of that turn which it was, or which made it. */
  tool_use_id: string | null
  /** Of a call: whether it failed, and how long it took. */
  failed: boolean
  duration_ms: number | null
  /** What came of a call, the beginning of what was said in plain words, an agent’s note on a draft, the reason of a decision. */
  result: string
  arguments: unknown
}
