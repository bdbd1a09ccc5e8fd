// What the model is given when a turn begins or is taken up: the prompt, the conversation so far, what became of drafts,
// the question, and what the turn itself has come to already.

import type { ModelMessage } from '../ai/model.ts'
import { hearOutcomes } from './hear-outcomes.ts'
import { loadHistory } from './history.ts'
import { leadWithBlock, toQuestion } from './outcome-block.ts'
import { type SystemPrompt, systemPrompt } from './prompt.ts'
import { repairHistory } from './repair-history.ts'
import type { RunningTurn } from './run-turn.ts'
import { seeSpace } from './see-space.ts'

export type PreparedTurn = {
  prompt: SystemPrompt
  messages: ModelMessage[]
  /** Whether the conversation is long enough for a running summary. */
  isLong: boolean
}

/** `again`: it may have been prepared before. */
export async function prepareTurn(
  running: RunningTurn,
  { again }: { again: boolean },
): Promise<PreparedTurn> {
  const { database, turn, model, asked, resumption } = running
  const history = await loadHistory(database, {
    conversationId: turn.conversation_id,
    beforeId: asked.message_id,
    model: model.name,
  })
  const question = toQuestion(asked.text, await hearOutcomes(running, turn, { again }))
  const before = leadWithBlock(repairHistory([...history.messages, question]), question)
  return {
    prompt: await buildPrompt(running),
    messages: [...before, ...(resumption?.messages ?? [])],
    isLong: history.isLong,
  }
}

async function buildPrompt(running: RunningTurn): Promise<SystemPrompt> {
  const { database, kinds, turn, space, agent, asked, now } = running
  const { view, desk } = asked
  return systemPrompt({
    ...(await seeSpace(database, kinds, { space_id: turn.space_id, view, desk })),
    companion: agent.name,
    space: { name: space.name, description: space.description },
    today: now().toISOString().slice(0, 10),
  })
}
