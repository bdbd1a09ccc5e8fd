import { v7 as uuid } from 'uuid'
import { type ContentBlock, noUsage } from '../ai/model.ts'
import type { AssistantMetadata } from '../contract/events.ts'
import type { Queryable } from '../db/pool.ts'
import { createMessagesRepo } from '../db/repos/messages.ts'
import { createTurnsRepo, type TurnError, type TurnRow } from '../db/repos/turns.ts'

const interrupted: TurnError = {
  code: 'interrupted',
  message: 'The server went away in the middle of this answer. What it had said is kept; ask again.',
  retryable: true,
}

/**
 * Ends the running turns (of one conversation, or of all) whose runner has not renewed its lease, keeping the text of
 * their finished steps, so that the conversation is free again. In the caller's transaction.
 */
export async function closeAbandonedTurns(tx: Queryable, conversationId: string | null): Promise<void> {
  const turns = createTurnsRepo(tx)

  for (const turn of await turns.lockAbandoned(conversationId)) {
    const steps = await turns.listSteps([turn.id])
    const blocks = steps
      .filter(({ role }) => role === 'assistant')
      .flatMap(({ content }) => parseBlocks(content))
    await turns.finish(turn.id, null, {
      status: 'failed',
      stop_reason: 'interrupted',
      usage: null,
      error: interrupted,
    })
    await createMessagesRepo(tx).insert({
      id: uuid(),
      conversation_id: turn.conversation_id,
      turn_id: turn.id,
      role: 'assistant',
      body: textsOf(blocks).join('\n\n'),
      agent_id: turn.agent_id,
      metadata: { ...metadataOf(turn) },
    })
  }
}

function metadataOf(turn: TurnRow): AssistantMetadata {
  return {
    tool_trace: [],
    draft_ids: [],
    usage: noUsage,
    citations: [],
    stop_reason: 'interrupted',
    model: turn.model,
    error: interrupted,
  }
}

function parseBlocks(content: string): ContentBlock[] {
  const blocks: unknown = JSON.parse(content)
  return Array.isArray(blocks) ? blocks : []
}

const textsOf = (blocks: ContentBlock[]) =>
  blocks.flatMap((block) => (block.type === 'text' && 'text' in block ? [String(block.text)] : []))
