// What the model is given when a turn begins or is taken up: the prompt, the conversation so far, what became of drafts,
// the question, and what the turn itself has come to already.

import type { ModelMessage } from '../ai/model.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { titleOf } from '../entities/kind.ts'
import { hearOutcomes } from './hear-outcomes.ts'
import { loadHistory } from './history.ts'
import { leadWithBlock, toQuestion } from './outcome-block.ts'
import { systemPrompt } from './prompt.ts'
import { repairHistory } from './repair-history.ts'
import type { RunningTurn } from './run-turn.ts'

export type PreparedTurn = {
  system: string
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
    system: await buildPrompt(running),
    messages: [...before, ...(resumption?.messages ?? [])],
    isLong: history.isLong,
  }
}

async function buildPrompt({
  database,
  kinds,
  turn,
  space,
  agent,
  asked: { view },
  now,
}: RunningTurn): Promise<string> {
  const entities = createEntitiesRepo(database)
  const kind = view && kinds.find(view.entityType)
  const viewed = kind && (await entities.find(kind, turn.space_id, view.entityId))

  return systemPrompt({
    companion: agent.name,
    space: { name: space.name, description: space.description },
    counts: await entities.countAll(kinds.all, turn.space_id),
    view: viewed ? { entity_type: kind.type, entity_id: viewed.id, title: titleOf(viewed) } : null,
    today: now().toISOString().slice(0, 10),
  })
}
