// What the model is given when a turn starts or is resumed: the prompt, the conversation so far, what became of drafts,
// the question, and what the turn itself has come to already.

import type { ToolRegistry } from '../../ai/agent/registry.ts'
import type { SystemPrompt } from '../../ai/agent/turn.ts'
import { readBlocks, repairHistory } from '../../ai/history/repair-history.ts'
import type { ModelMessage, ToolUseBlock } from '../../ai/model.ts'
import type { GivenText } from '../../changes/grounding/given-text.ts'
import { isImageType } from '../../contract/companion/image-type.ts'
import { loadImages, nameImages, toGiven } from '../prompt/attached-images.ts'
import { declaredIn, loadHistory } from '../prompt/load-history.ts'
import { leadWithBlock, loadUndeliveredOutcomes, toQuestion } from '../prompt/load-outcomes.ts'
import { loadSpaceContext, systemPrompt } from '../prompt/system-prompt.ts'
import type { DeclaredSources } from '../reading/reading-log.ts'
import type { RunningTurn } from './running-turn.ts'

export type PreparedTurn = {
  prompt: SystemPrompt
  tools: ToolRegistry
  messages: ModelMessage[]
  /** Calls that the messages end with, which nobody asked for yet: what the message names is read first. */
  opening: ToolUseBlock[]
  /** Where among them what the turn has come to already begins. */
  ownFrom: number
  /** What the tool results among the messages gave the model to read. */
  declared: DeclaredSources
  /** What else the messages show: images, and what they repeat of texts from outside. */
  outside: readonly GivenText[]
  /** Whether the conversation is long enough for a running summary. */
  isLong: boolean
}

/** `again`: it may have been prepared before. */
export async function prepareTurn(
  running: RunningTurn,
  { again }: { again: boolean },
): Promise<PreparedTurn> {
  const { deps, turn, model, message, resumption } = running
  const past = {
    conversationId: turn.conversation_id,
    beforeId: message.id,
    agentId: turn.agent_id,
    model: model.name,
  }
  const [history, outcomes, described] = await Promise.all([
    loadHistory(deps.database, past),
    loadUndeliveredOutcomes(deps, turn, { again }),
    describeSpace(running),
  ])
  const attached = message.attachments ?? []
  const question = toQuestion(message.text, outcomes, nameImages(attached))
  const named = leadWithBlock(repairHistory([...history.messages, question]), question)
  const { messages: before, shown } = await loadImages(deps.database, turn.space_id, named)
  const own = (resumption?.steps ?? []).map((step) => ({ ...step, blocks: readBlocks(step.content) }))
  const opening = resumption ? [] : readNamed(running)
  const first: ModelMessage[] = opening.length > 0 ? [{ role: 'assistant', content: opening }] : []
  return {
    ...described,
    messages: [...before, ...(resumption?.messages ?? first)],
    opening,
    ownFrom: before.length,
    outside: [...history.outside, ...toGiven(shown, attached)],
    declared: new Map([...history.declared, ...declaredIn(own)]),
    isLong: history.isLong,
  }
}

/** A page that is named, or a file that came with the message, is read as if the model had asked for it: within its limits, as a source, and as material. */
function readNamed({ turn, message }: RunningTurn): ToolUseBlock[] {
  const files = (message.attachments ?? []).filter(({ mime }) => !isImageType(mime))
  const named = [
    ...(message.mentions ?? []).map(({ id }) => ({ kind: 'page', id })),
    ...files.map(({ id }) => ({ kind: 'source_doc', id })),
  ]
  return named.map((input, index) => ({
    type: 'tool_use',
    name: 'read',
    input,
    id: `named_${turn.id.replaceAll('-', '')}_${index + 1}`,
  }))
}

async function describeSpace(running: RunningTurn): Promise<Pick<PreparedTurn, 'prompt' | 'tools'>> {
  const { deps, turn, space, agent, message } = running
  const context = await loadSpaceContext(deps.database, deps.kinds, turn.space_id, message)
  const tools = deps.registry.ofCompanion(agent, context.connected)
  const prompt = systemPrompt({
    ...context,
    companion: agent.name,
    instructions: agent.instructions,
    drafts: tools.getTool('propose_change') !== undefined,
    space,
    today: deps.now().toISOString().slice(0, 10),
  })
  return { prompt, tools }
}
