import type { ConversationPart } from '../state/conversation-part.ts'

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
