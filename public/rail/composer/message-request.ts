import { createIdempotencyKey } from '../../app/api/api.ts'
import { type App, activeSubject, type Subject } from '../../app/app.ts'
import type { RailDesk } from '../state/conversation-part.ts'

export type MessageOptions = {
  text: string
  /** What the message is about; `null` where the owner left it out. */
  subject: Subject | null
  key?: string
  /** The other fields of the request: the thread, whether the message may be queued. */
  body: Record<string, unknown>
}

/** The words that are selected in the content, up to what a view may carry. */
function selectedWords(): { selection?: string } {
  const selection = getSelection()
  const node = selection?.anchorNode
  const words = selection?.toString().trim().slice(0, 2000).toWellFormed() ?? ''
  const isContent = node instanceof Node && document.querySelector('#content')?.contains(node)
  return words !== '' && isContent ? { selection: words } : {}
}

/**
 * The request for a message's turn, to be sent once or again with the same key. A subject that was left out is not named
 * among the open tabs either.
 */
export function messageRequest(
  { app, desk, spaceId }: { app: App; desk: RailDesk; spaceId: string },
  { text, subject, key = createIdempotencyKey(), body }: MessageOptions,
): (signal: AbortSignal) => Promise<Response> {
  const without = subject ? null : (activeSubject(app.state.get())?.entityId ?? null)
  const tabs = desk.openTabs(without)
  const view = subject
    ? { entityType: subject.entityType, entityId: subject.entityId, ...selectedWords() }
    : without
      ? null
      : app.lookedAt?.(tabs)
  const sent = JSON.stringify({ text, view, desk: tabs, ...body })
  return (signal) =>
    app.api.fetch(`/api/spaces/${spaceId}/companion/turn`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: sent,
      signal,
    })
}
