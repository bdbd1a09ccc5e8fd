import type { Conversation } from '../../../lib/contract/companion/companion.ts'
import type { ThreadContext } from '../state/conversation-part.ts'

/** Shows the thread's new title or other versions; another thread when this one was archived or deleted. */
export async function refreshThread(
  { app, spaceId, part }: ThreadContext,
  { state, rearranged }: { state: 'active' | 'archived' | 'deleted'; rearranged?: true | undefined },
): Promise<void> {
  if (state !== 'active' || rearranged) return await part.reload()
  const { conversation_id } = part.state.get()
  const path = `/api/spaces/${spaceId}/conversations/${conversation_id}`
  const thread = await app.api.get<Conversation>(path).catch(() => null)
  if (thread && part.state.get().conversation_id === conversation_id) part.state.set({ title: thread.title })
}
