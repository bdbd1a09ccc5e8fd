export type Status = 'open' | 'in_progress' | 'done' | 'cancelled' | 'on_hold'

const words: Record<string, Status> = {
  done: 'done',
  complete: 'done',
  completed: 'done',
  finished: 'done',
  'in progress': 'in_progress',
  'in-progress': 'in_progress',
  in_progress: 'in_progress',
  started: 'in_progress',
  open: 'open',
  todo: 'open',
  'to do': 'open',
  undone: 'open',
  'not done': 'open',
  active: 'open',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  'on hold': 'on_hold',
  on_hold: 'on_hold',
  paused: 'on_hold',
}

/** What a word for a status means; `null` for any other word. */
export const readStatus = (word: string): Status | null => words[word.toLowerCase().trim()] ?? null

/** The status as a kind knows it; `null` when it has none like it. */
export function statusFor(kind: string, status: Status): string | null {
  if (kind === 'task') return status === 'on_hold' ? null : status
  if (kind !== 'project') return null
  return status === 'open' || status === 'in_progress' ? 'active' : status
}
