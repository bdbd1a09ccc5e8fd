// How the owner decides, as it is shown to the owner alone.

export type AttentionFigures = {
  decisions: number
  approved: number
  rejected: number
  /** Of the approved ones: how many were taken back and still are. */
  undone: number
  /** Of all: how many were decided without ever having been before the owner's eyes in Void's own pages. */
  unseen: number
  /** From first being shown to the decision; `null` when none was shown. */
  median_seconds: number | null
}

export type Attention = {
  /** The last thirty decisions. */
  recent: AttentionFigures
  all: AttentionFigures
  /** Of the recent ones: approved less than two seconds after they were first shown, or unseen. */
  hasty: number
  /** Whether to say so: thirty decisions, and more than 95 of a hundred of them hasty. */
  notice: boolean
  drills: {
    on: boolean
    approved: number
    rejected: number
    latest: { pending_change_id: string; decided_at: string; approved: boolean }[]
  }
}
