import { type ConversationPart, openThread, type ThreadContext } from '../state/conversation-part.ts'
import type { Log } from './log.ts'

/**
 * Scrolls to a turn, loading older messages as needed, and to one call of it, opened and marked. Rejects when the server
 * does not have the turn.
 */
export async function showTurn(
  { app, spaceId, part, log }: ThreadContext & { log: Log },
  query: URLSearchParams,
): Promise<void> {
  const turnId = query.get('turn') ?? ''
  const turn = await app.api.get<{ space_id: string; conversation_id: string }>(
    `/api/turns/${encodeURIComponent(turnId)}`,
  )
  if (turn.space_id !== spaceId) return
  if (part.state.get().conversation_id !== turn.conversation_id)
    await openThread({ app, spaceId, part }, turn.conversation_id)
  await loadUntil(part, turnId)

  app.panels.toggleRail(true)
  log.show(part.state.get())
  const element = log.reveal(turnId)
  if (!element) app.toast('This message is in another version of the conversation, or no longer in it.')
  const call = query.get('call')
  const item = call && element?.querySelector<HTMLElement>(`[data-call="${CSS.escape(call)}"]`)
  if (!item) return
  const steps = item.closest('details')
  if (steps) steps.open = true
  item.classList.add('tool-marked')
  item.tabIndex = -1
  item.focus({ preventScroll: true })
  item.scrollIntoView({ block: 'center' })
}

async function loadUntil({ state, loadOlder }: ConversationPart, turnId: string): Promise<void> {
  for (;;) {
    const { turns, more } = state.get()
    if (!more || turns.some(({ id }) => id === turnId)) return
    await loadOlder()
    if (state.get().turns.length === turns.length) return
  }
}

/** The announcement for screen readers when an answer has ended. */
export function lastAnswer({ state }: ConversationPart): string {
  const { turns, agent: ofThread } = state.get()
  const last = turns.at(-1)
  const answer = last?.answer
  if (!answer) return ''
  const agent = last.author ?? ofThread
  if (answer.problem) return `${agent.name}: ${answer.problem.message}`
  const count = answer.cards.length
  const drafts = count === 0 ? '' : ` ${count} ${count === 1 ? 'draft' : 'drafts'} to review.`
  return `${agent.name}: ${answer.text.replace(/[*_`#>[\]]/g, '').slice(0, 1500)}${drafts}`
}
