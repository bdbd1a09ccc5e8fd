// What the model is given when a turn starts or is resumed: the prompt, the conversation so far, what became of drafts,
// the question, and what the turn itself has come to already.

import type { ToolRegistry } from '../../ai/agent/registry.ts'
import { rememberCall } from '../../ai/agent/remember-call.ts'
import { routineCall } from '../../ai/agent/routine-call.ts'
import type { SystemPrompt } from '../../ai/agent/turn.ts'
import { readBlocks, repairHistory } from '../../ai/history/repair-history.ts'
import { type ModelMessage, type ModelResponse, noUsage, type ToolUseBlock } from '../../ai/model.ts'
import type { GivenText } from '../../changes/grounding/provenance.ts'
import { describeOutcome, outcomeOf } from '../../changes/outcomes.ts'
import { undoOf } from '../../content/writes/history.ts'
import type { CallRun } from '../../contract/changes/card.ts'
import type { BegunWith } from '../../contract/companion/companion.ts'
import { isImageType } from '../../contract/companion/image-type.ts'
import { titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { GivenLine } from '../../core/text/memory/memory-lines.ts'
import type { Queryable } from '../../db/pool.ts'
import type { UndoRow } from '../../db/repos/audit.ts'
import { createAuditOfDraftsRepo } from '../../db/repos/decisions.ts'
import {
  createDeliveredOutcomesRepo,
  type DeliveredOutcome,
  type UndeliveredOutcome,
} from '../../db/repos/delivered_outcomes.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createOverviewRepo } from '../../db/repos/home.ts'
import { createCallRunsRepo } from '../../db/repos/tool_calls.ts'
import type { TurnRow } from '../../db/repos/turns.ts'
import type { TextThreads } from '../../jobs/workers/text-threads.ts'
import { loadMemory, memoryPrompt } from '../memory/load-memory.ts'
import { declaredIn, loadHistory, noHistory } from '../prompt/load-history.ts'
import {
  leadWithBlock,
  loadImages,
  localTime,
  nameImages,
  type OutcomeLine,
  outcomeLine,
  toGiven,
  toQuestion,
} from '../prompt/question.ts'
import { loadSpaceContext, promptHash, systemPrompt } from '../prompt/system-prompt.ts'
import type { DeclaredSources } from '../reading/reading-log.ts'
import { prepareRoutine } from '../routines/routine-turn.ts'
import type { RunningTurn } from './running-turn.ts'

export type PreparedTurn = {
  prompt: SystemPrompt
  /** Of the wording of the prompt and of the tools. */
  promptHash: string
  tools: ToolRegistry
  /** The lines of memory that are in the prompt. */
  memory: GivenLine[]
  messages: ModelMessage[]
  /** Calls that the messages end with, which nobody asked for yet: what the message names, or asks for by rule. */
  opening: ModelResponse | null
  /** Where among them what the turn has come to already begins. */
  ownFrom: number
  /** What the tool results among the messages gave the model to read. */
  declared: DeclaredSources
  /** What else the messages show: images, and what they repeat of texts from outside. */
  outside: readonly GivenText[]
  /** Words in the owner's messages that Void put into the composer. */
  composed: readonly string[]
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
  // A run of a routine begins anew: what its thread says is for the owner.
  const isRoutine = message.routine !== undefined
  const [history, outcomes, described] = await Promise.all([
    isRoutine ? noHistory : loadHistory(deps.database, past),
    isRoutine ? [] : loadUndeliveredOutcomes(deps, turn, { again }),
    describeSpace(running),
  ])
  const glances = [...(message.glance ? [message.glance] : []), ...history.glances]
  const { calendar } = deps
  const time = localTime(calendar.now(), calendar.zone())
  const question = toQuestion(message.text, outcomes, { attached: nameImages(message), time })
  const named = leadWithBlock(repairHistory([...history.messages, question]), question)
  const { messages: before, shown } = await loadImages(deps.database, turn, named)
  const own = (resumption?.steps ?? []).map((step) => ({ ...step, blocks: readBlocks(step.content) }))
  const opening = resumption ? null : openTurn(running, described.tools)
  const first: ModelMessage[] = opening ? [{ role: 'assistant', content: opening.content }] : []
  return {
    ...described,
    messages: [...before, ...(resumption?.messages ?? first)],
    opening,
    ownFrom: before.length,
    outside: [
      ...history.outside,
      ...toGiven(shown, message),
      ...(await loadNudgedMail(deps, turn.space_id, { glances, now: message.glance?.message_id })),
    ],
    composed: glances.map(({ action_prompt }) => action_prompt),
    declared: new Map([...history.declared, ...declaredIn(own)]),
    isLong: history.isLong,
  }
}

/**
 * The mail that nudges were about, as a source of all that is drafted after one: the owner's message says nothing but what
 * the sender wanted. One that is gone stays a source. `now`: what the message that is answered began with.
 */
async function loadNudgedMail(
  { database, kinds }: { database: Queryable; kinds: Kinds },
  spaceId: string,
  { glances, now }: { glances: readonly BegunWith[]; now: string | undefined },
): Promise<GivenText[]> {
  const ids = [...new Set(glances.map(({ message_id }) => message_id))]
  if (ids.length === 0) return []
  const kind = kinds.get('mail_message')
  const rows = await createEntitiesRepo(database).listWithinSpaces(kind, [spaceId], ids)
  return ids.map((id) => {
    const row = rows.find((each) => each.id === id)
    return {
      entity_type: kind.type,
      entity_id: id,
      title: row ? titleOf(row) : 'A mail that is gone',
      given_by: 'glance',
      texts: row ? [titleOf(row), kind.searchText(row)] : [],
      in_turn: id === now,
    }
  })
}

/**
 * A page that is named, or a file that came with the message, is read as if the model had asked for it: within its
 * limits, as a source, and as material. What the message asks to have remembered, or done at times, is proposed likewise,
 * whatever answers.
 */
function openTurn({ turn, message }: RunningTurn, tools: ToolRegistry): ModelResponse | null {
  const files = (message.attachments ?? []).filter(({ mime }) => !isImageType(mime))
  const asked = message.routine ? null : (rememberCall(message.text) ?? routineCall(message.text))
  const calls = [
    ...(message.mentions ?? []).map(({ id }) => ({ name: 'read', input: { kind: 'page', id } })),
    ...files.map(({ id }) => ({ name: 'read', input: { kind: 'source_doc', id } })),
    ...(asked && tools.getTool(asked.name) ? [asked] : []),
  ]
  if (calls.length === 0) return null
  const toolUses = calls.map(
    (call, index): ToolUseBlock => ({
      type: 'tool_use',
      ...call,
      id: `named_${turn.id.replaceAll('-', '')}_${index + 1}`,
    }),
  )
  return { text: '', content: toolUses, toolUses, stopReason: 'tool_use', usage: noUsage }
}

async function describeSpace(
  running: RunningTurn,
): Promise<Pick<PreparedTurn, 'prompt' | 'promptHash' | 'tools' | 'memory'>> {
  const { deps, turn, space, agent, message } = running
  const [context, memory] = await Promise.all([
    loadSpaceContext(deps.database, deps.kinds, turn.space_id, message),
    loadMemory(deps.database, turn.space_id, deps.calendar),
  ])
  const offered = deps.registry.ofCompanion(agent, context.connected)
  const routine = message.routine && (await prepareRoutine(deps, turn, { mark: message.routine, offered }))
  const { tools } = routine ?? { tools: offered }
  const drafts = tools.getTool('propose_change') !== undefined
  const prompt = systemPrompt({
    ...context,
    companion: agent.name,
    instructions: agent.instructions,
    drafts,
    space,
  })
  const text = [prompt.text, memoryPrompt(memory), routine?.prompt].filter(Boolean).join('\n\n')
  return {
    prompt: { ...prompt, text },
    tools,
    memory,
    promptHash: promptHash(drafts, tools.toAnthropicTools()),
  }
}

// The outcomes of an agent’s drafts in this conversation, delivered at the start of its next turn. They are stored with
// the turn before the model is called, so that a resumed turn, and every later history, reads the same. A turn that
// fails delivered nothing: the next one delivers it again.

/** Outcomes given one by one, and characters of them together; more are counted. */
const maxListed = 20
const maxCharacters = 8000

type OutcomeDeps = { database: Queryable; kinds: Kinds; threads: TextThreads }

/** `again`: they may have been delivered to the turn before; it then gets the same. */
export async function loadUndeliveredOutcomes(
  { database, ...deps }: OutcomeDeps,
  turn: Pick<TurnRow, 'id' | 'conversation_id' | 'agent_id'>,
  { again }: { again: boolean },
): Promise<OutcomeLine[]> {
  const repo = createDeliveredOutcomesRepo(database)
  if (again) {
    const earlier = await repo.listOfTurn(turn.id)
    if (earlier.length > 0) return earlier
  }
  const undelivered = await repo.listUndelivered(turn.conversation_id, turn.agent_id)
  const calls = await loadCalls(database, undelivered)
  const delivered = withinLimits(await describeUndelivered({ database, ...deps }, undelivered, calls))
  if (delivered.length === 0) return []
  await repo.insertAll(turn.id, delivered)
  return await repo.listOfTurn(turn.id)
}

/** Leaves out what was delivered as it is. */
async function describeUndelivered(
  { database, kinds, threads }: OutcomeDeps,
  undelivered: readonly UndeliveredOutcome[],
  calls: ReadonlyMap<string, CallRun>,
): Promise<DeliveredOutcome[]> {
  const undos = await listUndos(database, undelivered)
  const news = undelivered.flatMap((each) => {
    const undo = each.applied_seq === null ? null : undoOf(each.applied_seq, undos.get(each.entity_id) ?? [])
    const outcome = outcomeOf(each, undo !== null)
    const audit_seq = undo?.seq ?? 0
    const isDelivered = each.delivered_outcome === outcome && each.delivered_seq === audit_seq
    // A call is told of once it has ended.
    const isOpen = ['approved', 'running'].includes(calls.get(each.entity_id)?.state ?? '')
    return outcome && !isDelivered && !isOpen ? [{ each, outcome, audit_seq }] : []
  })
  const titles = await listTitles(
    database,
    kinds,
    news.map(({ each }) => each),
  )
  const delivered: DeliveredOutcome[] = []
  for (const { each, outcome, audit_seq } of news) {
    const facts = { outcome, kind: kinds.get(each.entity_type), title: titles.get(each.entity_id) ?? '' }
    const described = await describeOutcome(threads, each, facts)
    delivered.push({
      pending_change_id: each.id,
      outcome,
      audit_seq,
      line: outcomeLine({ ...described, ...callOf(calls.get(each.entity_id)) }),
    })
  }
  return delivered
}

async function loadCalls(
  database: Queryable,
  undelivered: readonly UndeliveredOutcome[],
): Promise<Map<string, CallRun>> {
  const ids = undelivered.filter(({ action }) => action === 'call').map(({ entity_id }) => entity_id)
  if (ids.length === 0) return new Map()
  const runs = await createCallRunsRepo(database).listByIds(ids)
  return new Map(runs.map(({ call_id, ...run }) => [call_id, run]))
}

/** What the tool answered is other people's words: the agent reads it by call_tool, as such. */
const callOf = (run: CallRun | undefined) =>
  run ? { call: run.state, ...(run.result_id ? { result: run.result_id } : {}) } : {}

async function listUndos(database: Queryable, undelivered: readonly UndeliveredOutcome[]) {
  const ids = undelivered.filter(({ applied_seq }) => applied_seq !== null).map(({ entity_id }) => entity_id)
  if (ids.length === 0) return new Map<string, UndoRow[]>()
  return await createAuditOfDraftsRepo(database).listUndosByEntity(ids)
}

/** The drafts of a conversation are all in its Space. */
async function listTitles(database: Queryable, kinds: Kinds, drafts: readonly UndeliveredOutcome[]) {
  const [first] = drafts
  if (!first) return new Map<string, string>()
  const ids = drafts.map(({ entity_id }) => entity_id)
  return await createOverviewRepo(database).titlesOf(kinds.all, first.space_id, ids)
}

/** Those beyond the limits are only counted. */
function withinLimits(delivered: readonly DeliveredOutcome[]): DeliveredOutcome[] {
  let left = maxCharacters
  return delivered.map((row, index) => {
    if (index >= maxListed || row.line.length > left) return { ...row, line: '' }
    left -= row.line.length
    return row
  })
}
