/** An import as a job: `POST /api/spaces/:space_id/imports`. */
export type ImportJob = {
  id: string
  space_id: string
  /** Whose files they are. */
  source: string
  /** The archive that is the whole import. */
  root: string | null
  state:
    | 'open'
    | 'previewing'
    | 'previewed'
    | 'running'
    | 'stopped'
    | 'failed'
    | 'done'
    | 'undoing'
    | 'undone'
  /** Handed over and not yet done with. */
  files: number
  bytes: number
  /** Files that are through, those in archives included. */
  done: number
  /** Files by outcome; in a preview, what would become of them. */
  counts: Record<string, number>
  /** What was created, by kind. */
  created: Record<string, number>
  problem: string | null
  created_at: string
  updated_at: string
}
