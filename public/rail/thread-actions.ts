import type { Conversation } from '../../lib/contract/companion.ts'
import type { App } from '../app.ts'
import type { ConversationPart } from './conversation.ts'

type Deps = { app: App; spaceId: string; part: ConversationPart }

/** Makes a thread the one in use and shows it. */
export async function openThread({ app, spaceId, part }: Deps, id: string): Promise<void> {
  await part.change(() =>
    app.api.patch<Conversation>(`/api/spaces/${spaceId}/conversations/${id}`, { in_use: true }),
  )
}

/** Begins a thread and shows it. */
export async function newThread({ app, spaceId, part }: Deps): Promise<void> {
  await part.change(() => app.api.post<Conversation>(`/api/spaces/${spaceId}/conversations`))
}
