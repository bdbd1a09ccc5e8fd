// Takes the turns of a task over the companion itself, and gathers what came of the last one: its answer, what it cites,
// and the state of the Space once its drafts were approved, as the preview computes it. Nothing is approved for that.

import { addUsage, noUsage } from '../../ai/model.ts'
import type { Decisions } from '../../changes/decide.ts'
import type { Previews } from '../../changes/preview.ts'
import type { RetractChange } from '../../changes/propose/own-drafts.ts'
import type { Viewed } from '../../contract/companion/open-desk.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Effect } from '../../contract/events/effects.ts'
import type { Citation, DraftEvent, ToolEvent, TurnEvent, Usage } from '../../contract/events/events.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import type { Companion } from '../companion.ts'
import type { Conversations } from '../conversations.ts'
import { toActor } from '../turn/running-turn.ts'
import type { TrialTask } from './task.ts'
import type { SpaceParts, TrialSpace } from './trial-space.ts'

export type TrialParts = SpaceParts & {
  kinds: Kinds
  companion: Pick<Companion, 'start' | 'read' | 'stop' | 'agent'>
  conversations: Pick<Conversations, 'create' | 'remove'>
  previews: Pick<Previews, 'changeset'>
  decisions: Pick<Decisions, 'approve' | 'reject'>
  retractChange: RetractChange
}

/** What a draft comes to once it is approved. */
export type AfterDraft = {
  type: string
  id: string
  /** The title before; of what is created the one after. */
  title: string
  before: Record<string, unknown> | null
  after: Record<string, unknown>
  deleted: boolean
}

export type TaskOutcome = {
  /** All that was said in the turn, and what was said behind the last call of a tool. */
  text: string
  answer: string
  /** `of`: the title of the source. */
  citations: { of: string; cited_text: string; checked: boolean }[]
  drafts: AfterDraft[]
  /** Why the drafts could not be approved. */
  refused: string | null
  /** Links elsewhere that would lead nowhere. */
  broken: string[]
  effects: Effect[]
  calls: number
  failed_calls: number
  stop_reason: string
  error: string | null
  /** Of all turns of the task. */
  usage: Usage
  ms: number
}

const owner = { kind: 'owner' } as const

type Turn = {
  text: string
  answer: string
  citations: Citation[]
  drafts: DraftEvent[]
  effects: Effect[]
  tools: ToolEvent[]
  stop_reason: string
  error: string | null
  usage: Usage | null
}

/** Rejects when the signal is aborted, or the turn cannot begin. */
export async function runTask(
  parts: TrialParts,
  space: TrialSpace,
  task: TrialTask,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const { id: conversation_id } = await parts.conversations.create(space.id, owner, null)
  const started = performance.now()
  const take = (text: string, view?: Viewed) =>
    takeTurn(parts, { space, conversation_id, text, view }, signal)
  const first = await take(task.say, viewOf(task, space))
  const turns = [first]
  if (task.decide) await decide(parts, space, first, task.decide)
  if (task.say_next) turns.push(await take(task.say_next))
  const last = turns.at(-1)!
  const ms = Math.round(performance.now() - started)
  const state = await loadState(parts, space, last)
  await tidy(parts, space, turns)
  await parts.conversations.remove(space.id, conversation_id)
  return {
    ...{ text: last.text, answer: last.answer, effects: last.effects, ...state },
    citations: last.citations.map(({ id, title, cited_text, checked }) => ({
      of: id ? space.titleOf(id) : title,
      cited_text,
      checked,
    })),
    calls: last.tools.length,
    failed_calls: turns.flatMap(({ tools }) => tools).filter(({ status }) => status === 'error').length,
    stop_reason: last.stop_reason,
    error: turns.find(({ error }) => error !== null)?.error ?? null,
    usage: sumUsage(turns),
    ms,
  }
}

function viewOf({ view }: TrialTask, space: TrialSpace): Viewed | undefined {
  if (view === undefined) return undefined
  if (typeof view === 'string') {
    const { type, id } = space.find(view)
    return { entityType: type, entityId: id }
  }
  const selected = view.map((title) => ({ kind: space.find(title).type, id: space.find(title).id }))
  return { entityType: 'view', entityId: 'tasks', rows: selected, selected }
}

async function takeTurn(
  { companion }: TrialParts,
  given: { space: TrialSpace; conversation_id: string; text: string; view: Viewed | undefined },
  signal: AbortSignal,
): Promise<Turn> {
  signal.throwIfAborted()
  const { space, conversation_id, text, view } = given
  const request = { space_id: space.id, conversation_id, idempotency_key: null, queue: false }
  const turn = await companion.start(owner, { ...request, message: { text, view } })
  const seen: Turn = {
    ...{ text: '', answer: '', citations: [], drafts: [], effects: [], tools: [] },
    ...{ stop_reason: '', error: null, usage: null },
  }
  const onEvent = (event: TurnEvent) => takeEvent(seen, event)
  await companion.read({ turn, after: 0, onEvent, signal })
  if (signal.aborted) await companion.stop(turn.id)
  signal.throwIfAborted()
  return seen
}

function takeEvent(seen: Turn, { type, data }: TurnEvent): void {
  switch (type) {
    case 'delta':
      seen.text += data.text
      seen.answer += data.text
      return
    case 'tool':
      if (data.status === 'running') seen.answer = ''
      else seen.tools.push(data)
      return
    case 'citation':
      seen.citations.push(data)
      return
    case 'draft':
      seen.drafts.push(data)
      return
    case 'effect':
      seen.effects.push(data.effect)
      return
    case 'done':
      seen.stop_reason = data.stop_reason
      seen.usage = data.usage
      return
    case 'error':
      seen.error = data.message
      seen.stop_reason = 'error'
  }
}

async function decide(
  { decisions }: TrialParts,
  space: TrialSpace,
  { drafts }: Turn,
  { approve, reject: reason }: NonNullable<TrialTask['decide']>,
): Promise<void> {
  for (const { pending_change_id: id, card } of drafts) {
    if (!card || drafts.some((other) => other.card?.supersedes === id)) continue
    if (!approve) {
      await decisions.reject(owner, id, { reason })
      continue
    }
    await decisions.approve(owner, id)
    space.add({ type: card.entity_type, id: card.entity_id, title: card.title })
  }
}

type State = Pick<TaskOutcome, 'drafts' | 'refused' | 'broken'>

/** What the drafts of a turn come to. */
async function loadState(parts: TrialParts, space: TrialSpace, { drafts }: Turn): Promise<State> {
  const state: State = { drafts: [], refused: null, broken: [] }
  const entities = createEntitiesRepo(parts.database)
  for (const changeset of new Set(drafts.flatMap(({ card }) => card?.changeset_id ?? []))) {
    try {
      const preview = await parts.previews.changeset(owner, changeset)
      for (const { entity_type: type, entity_id: id, entity: after } of preview.entities) {
        const before = await entities.find(parts.kinds.get(type), space.id, id)
        const title = String((before ?? after).title ?? '')
        state.drafts.push({ type, id, title, before, after, deleted: after.deleted_at !== null })
      }
      state.broken.push(...preview.broken.map(({ title, name }) => `${title}: ${name}`))
    } catch (error) {
      if (isRetracted(error)) continue
      state.refused = error instanceof Error ? error.message : String(error)
    }
  }
  return state
}

/** All drafts of it were withdrawn. */
const isRetracted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'already_decided'

/** Drafts that wait would be built on by those of the next task. */
async function tidy({ companion, retractChange }: TrialParts, space: TrialSpace, turns: readonly Turn[]) {
  const agent = toActor(await companion.agent(space.id), space.id)
  for (const { pending_change_id: id } of turns.flatMap(({ drafts }) => drafts))
    await retractChange(agent, id).catch((error: unknown) => {
      if (!isRetracted(error)) throw error
    })
}

const sumUsage = (turns: readonly Turn[]): Usage =>
  turns.reduce((sum, { usage }) => addUsage(sum, usage ?? noUsage), noUsage)
