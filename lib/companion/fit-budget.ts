import type { ModelMessage } from '../ai/model.ts'

export type Said = { role: 'user' | 'assistant'; body: string }

export type PastTurn = {
  messages: ModelMessage[]
  /** What the two of them said, without what it took. */
  said: Said[]
  /** Characters as stored: to count the messages themselves would mean to make JSON of them again. */
  size: number
}

/**
 * The newest turn that does not fit whole goes in as text, and so does everything before it, while there is room.
 * `left` is what was said in the turns that are left out, oldest first.
 */
export function fitBudget(
  turns: readonly PastTurn[],
  characters: number,
): { kept: ModelMessage[]; left: Said[] } {
  let room = characters
  let whole = true
  const kept: ModelMessage[][] = []

  for (const [at, { messages, said, size }] of [...turns.entries()].toReversed()) {
    if (whole && size > room) whole = false
    room -= whole ? size : said.reduce((sum, { body }) => sum + body.length, 0)
    if (room < 0) return { kept: kept.flat(), left: turns.slice(0, at + 1).flatMap((turn) => turn.said) }
    kept.unshift(whole ? messages : said.map(({ role, body }) => ({ role, content: body })))
  }
  return { kept: kept.flat(), left: [] }
}
