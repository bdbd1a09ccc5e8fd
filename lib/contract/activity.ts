/** What happened: a change of an entity (from the audit log), or a call that an agent made. */
export type ActivityEntry = {
  /** `change:<seq>` or `call:<id>`. */
  id: string
  source: 'change' | 'call'
  at: string
  space_id: string | null
  /** `owner`, `agent:<slug>`, `system:<name>`. */
  actor: string
  /** `create`, `update` …, or the name of the tool. */
  action: string
  entity_type: string | null
  entity_id: string | null
  /** The title that the entity has now; empty for what has none. */
  title: string
  /** The fields that an update changed. */
  fields: string[]
  pending_change_id: string | null
  /** Of a call: whether it failed, what came of it, how long it took. */
  failed: boolean
  result: string
  duration_ms: number | null
  arguments: unknown
}
