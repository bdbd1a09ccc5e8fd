import type { MessagePage } from '../../../lib/contract/companion/companion.ts'
import type { Api } from '../../app/api/api.ts'
import type { Store } from '../../app/state.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import type { ConversationState } from './conversation-part.ts'
import { type Turn, toTurns } from './turn-state.ts'

const pageSize = 50

/** The latest messages of a thread, or those before a given one. */
const listMessages = (api: Api, conversationId: string, before?: string): Promise<MessagePage> =>
  api.get<MessagePage>(
    withQuery(`/api/conversations/${conversationId}/messages`, { before, limit: pageSize }),
  )

/** Puts the messages before those that are shown in front of them, unless another thread is shown by then. */
export async function loadOlder(api: Api, state: Store<ConversationState>): Promise<void> {
  const { conversation_id, turns } = state.get()
  const older = await listMessages(api, conversation_id, turns[0]?.cursor ?? undefined)
  if (state.get().conversation_id !== conversation_id) return
  const earlier = toTurns(older.items, older.cards, older.agents)
  state.set((now) => ({ turns: joinTurns(earlier, now.turns), more: older.next_cursor !== null }))
}

/** Older turns before newer ones. A turn that lies across the border becomes one. */
export function joinTurns(older: readonly Turn[], newer: readonly Turn[]): Turn[] {
  const [first, ...rest] = newer
  const at = older.findIndex(({ id }) => id !== null && id === first?.id)
  if (!first || at === -1) return [...older, ...newer]
  const { question, cursor } = older[at]!
  return [...older.slice(0, at), { ...first, question: question ?? first.question, cursor }, ...rest]
}
