import type { LastRouting } from '../../../lib/contract/companion/companion.ts'
import type { ThreadContext } from '../state/conversation-part.ts'
import { listMessages } from '../state/load-older.ts'
import { toTurns } from '../state/turn-state.ts'

/** Shows the thread that a turn was routed to, the turn itself first. */
export async function showRoutedThread(
  { app, part: { state } }: ThreadContext,
  { turn_id, routed, title }: LastRouting,
): Promise<void> {
  const { conversation_id } = state.get()
  state.set(({ turns, title: shown }) => {
    const own = turns.filter(({ id }) => id === turn_id)
    return { turns: own, more: false, title: title || own[0]?.question?.text.slice(0, 80) || shown }
  })
  if (routed === 'new') return
  const { items, cards, next_cursor } = await listMessages(app.api, conversation_id)
  if (state.get().conversation_id !== conversation_id) return
  const earlier = toTurns(items, cards).filter(({ id }) => id !== turn_id)
  state.set(({ turns }) => ({ turns: [...earlier, ...turns], more: next_cursor !== null }))
}
