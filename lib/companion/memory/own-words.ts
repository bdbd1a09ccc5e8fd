// The owner's own words in a thread: what they wrote in it by hand, and nothing that Void put into the composer.

import { readContext } from '../../contract/companion/companion.ts'
import { forbidden } from '../../core/errors.ts'
import type { Queryable } from '../../db/pool.ts'
import { createMessagesRepo, type MessageRow } from '../../db/repos/messages.ts'

/** Messages of a thread in which the owner's words are looked for, the latest. */
const maxMessages = 60

export type TurnPlace = { id: string; conversation_id: string }

/**
 * What the owner wrote in the thread of a turn, the message that is answered first; `null`: the turn is a run of a routine,
 * in which nobody says anything. Throws a 403 `AppError` for a turn without a message.
 */
export async function readOwnWords(db: Queryable, turn: TurnPlace): Promise<string[] | null> {
  const messages = createMessagesRepo(db)
  const asked = await messages.findOfTurn(turn.id, 'user')
  if (!asked) throw forbidden('Nobody said anything in this turn.')
  if (readContext(asked.metadata).routine) return null
  const earlier = await messages.listLatest(turn.conversation_id, asked.id, maxMessages)
  const own = earlier.filter(({ role, turn_id }) => role === 'user' && turn_id !== null)
  return [asked, ...own.reverse()].map(ownWords)
}

/** Without what Void put into the composer, which is what a mail asks for. */
function ownWords({ body, metadata }: Pick<MessageRow, 'body' | 'metadata'>): string {
  const { glance, routine } = readContext(metadata)
  if (routine) return ''
  return glance ? body.replaceAll(glance.action_prompt, '\n') : body
}
