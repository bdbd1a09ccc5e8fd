// What the model thinks, as readers of a turn are shown it: streamed and timed as it comes, beside the answer and never in
// it. What goes back to the model are the blocks of its message.

import { emit, type Turn } from './turn.ts'

/** Maximum characters shown of one turn's thinking. */
const maxShown = 32_000

/** Emits a piece of thinking without NUL; thinking after an answer or a call begins a new paragraph. */
export function emitThinking(turn: Turn, piece: string): void {
  const text = piece.replaceAll('\0', '')
  if (text === '' || turn.settled) return
  const before = turn.progress.thinking?.text ?? ''
  const gap = turn.thinkingSince === null && before !== '' ? '\n\n' : ''
  turn.thinkingSince ??= turn.guard.clock()
  const shown = (gap + text).slice(0, Math.max(0, maxShown - before.length))
  if (shown !== '') emit(turn, { type: 'thinking', data: { text: shown } })
}

/** Emits for how long the turn has thought, if it was thinking. */
export function endThinking(turn: Turn): void {
  if (turn.thinkingSince === null) return
  const ms = Math.max(0, Math.round(turn.guard.clock() - turn.thinkingSince))
  turn.thinkingSince = null
  const duration_ms = ms + (turn.progress.thinking?.duration_ms ?? 0)
  emit(turn, { type: 'thought', data: { duration_ms } })
}
