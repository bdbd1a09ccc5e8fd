import type { Conversation } from '../../../lib/contract/companion/companion.ts'
import type { ThreadContext } from '../state/conversation-part.ts'

/** Switches to a thread. */
export async function openThread({ app, spaceId, part }: ThreadContext, id: string): Promise<void> {
  await part.change(() =>
    app.api.patch<Conversation>(`/api/spaces/${spaceId}/conversations/${id}`, { in_use: true }),
  )
}

/** Creates a thread and switches to it. */
export async function newThread({ app, spaceId, part }: ThreadContext): Promise<void> {
  const agent_id = part.state.get().agent.id
  await part.change(() => app.api.post<Conversation>(`/api/spaces/${spaceId}/conversations`, { agent_id }))
}
