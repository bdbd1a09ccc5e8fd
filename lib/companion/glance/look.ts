// Looks at what is in view, and records what it decided. Whatever fails is silence, with its reason.

import { v7 as uuid } from 'uuid'
import type { CallModel } from '../../ai/model.ts'
import { type CurrentModel, type ModelProvider, replacedName } from '../../ai/models/model-provider.ts'
import type { SideModels } from '../../ai/models/side-models.ts'
import type { DailyBudget } from '../../ai/usage/budget.ts'
import type { Prices } from '../../ai/usage/prices.ts'
import type {
  GlanceDecision,
  GlanceImage,
  GlanceMode,
  GlanceReason,
  GlanceView,
} from '../../contract/companion/glance.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Published } from '../../contract/events/live.ts'
import type { Logger } from '../../core/logger.ts'
import { today } from '../../core/schedule/calendar.ts'
import { startOfDay } from '../../core/schedule/instants.ts'
import type { AgentRow } from '../../db/repos/agents.ts'
import {
  createGlanceSettingsRepo,
  createGlancesRepo,
  type GlanceRow,
  type GlanceSettingsRow,
} from '../../db/repos/glances.ts'
import { type DecideDeps, decide, type Outcome, screen } from './decide.ts'
import { loadView, type Seen } from './load-view.ts'
import { createMeter } from './models/meter.ts'
import { checkLimits, effectiveMode, maxUnused } from './rules/check-limits.ts'
import { newSettings } from './settings.ts'

export type LookDeps = DecideDeps & {
  kinds: Kinds
  models: Pick<ModelProvider, 'current' | 'small'>
  sideModels: Pick<SideModels, 'measured'>
  budget: Pick<DailyBudget, 'refusal'>
  prices: Prices
  /** The companion that answers in a Space. */
  agent: (spaceId: string) => Promise<AgentRow>
  publish: (event: Published) => void
  logger: Logger
}

export type LookRequest = {
  space_id: string
  source: 'view' | 'mail' | 'image'
  view: GlanceView | null
  image: GlanceImage | null
  /** What the request asks for. */
  mode: Exclude<GlanceMode, 'off'> | null
  typing: boolean
  /** In place of both models. */
  callModel: CallModel | null
  signal: AbortSignal
}

const dayMs = 86_400_000
/** Longer than a look takes: who began one before that is gone. */
const abandonedMs = 60_000
const maxTitle = 500

/** Reasons that are gone in a moment. New mail is looked at again then. */
export const passing: readonly GlanceReason[] = ['turn_running', 'too_soon', 'busy']

/** Never rejects. */
export async function look(deps: LookDeps, request: LookRequest): Promise<GlanceDecision> {
  try {
    return await lookUnguarded(deps, request)
  } catch (error) {
    deps.logger.warn({ err: error, space_id: request.space_id }, 'glance failed')
    return { id: null, surface: false, stage: 'code', reason: 'failed', evidence: [] }
  }
}

async function lookUnguarded(deps: LookDeps, request: LookRequest): Promise<GlanceDecision> {
  const { database, now } = deps
  const { space_id } = request
  const chosen = await createGlanceSettingsRepo(database).find(space_id)
  const mode = effectiveMode(chosen?.mode ?? null, request.mode)
  if (mode === 'off') return { id: null, surface: false, stage: 'code', reason: 'off', evidence: [] }
  const settings = chosen ?? newSettings(space_id, now())
  const row = newRow(request, mode, now())

  const limit = await limitOf(deps, request, { settings, mode })
  if (limit === 'turned_off') await turnOff(deps, space_id)
  if (limit) return await record(deps, request, { ...row, reason: limit })
  const seen = await loadView(deps, space_id, request)
  if (!seen) return await record(deps, request, { ...row, reason: 'nothing_open' })
  const about: GlanceRow = {
    ...row,
    view_key: seen.key,
    title: seen.title.slice(0, maxTitle).toWellFormed(),
    thread_id: seen.thread?.id ?? null,
  }
  const glances = createGlancesRepo(database)
  const before = (ms: number) => new Date(now().getTime() - ms)
  const [isOld] = await Promise.all([
    glances.wasSeen(space_id, seen.key, before(dayMs)),
    glances.endAbandoned(space_id, before(abandonedMs)),
  ])
  const reason = isOld ? 'seen_before' : screen(seen)
  if (reason) return await record(deps, request, { ...about, reason })

  const begun: GlanceRow = { ...about, stage: 'triage', reason: 'interrupted', evaluated: true }
  if (!(await glances.begin(begun))) return await record(deps, request, { ...about, reason: 'busy' })
  return await evaluate(deps, request, { row: begun, seen })
}

async function limitOf(
  { database, models, budget, now, calendar }: LookDeps,
  { space_id, callModel, typing }: LookRequest,
  { settings, mode }: { settings: GlanceSettingsRow; mode: Exclude<GlanceMode, 'off'> },
): Promise<GlanceReason | null> {
  const time = now()
  const facts = await createGlancesRepo(database).loadFacts(space_id, {
    mode,
    midnight: startOfDay(today(calendar), calendar.zone()),
    since: settings.mode_since,
    unused: maxUnused,
  })
  const online = callModel !== null || models.current().mode === 'online'
  const spent = (await budget.refusal()) !== null
  return checkLimits({ settings, facts, mode, online, spent, typing, now: time })
}

/** Asks the models, and records what came of it. */
async function evaluate(
  deps: LookDeps,
  request: LookRequest,
  { row, seen }: { row: GlanceRow; seen: Seen },
): Promise<GlanceDecision> {
  const { database, now } = deps
  const started = performance.now()
  const meter = createMeter(deps, row.space_id)
  const outcome = await ask(deps, request, { seen, meter })
  const late = outcome.spoken ? await changedMind(deps, row) : null
  const spoken = late ? null : outcome.spoken
  const isLive = row.mode === 'live'
  const finished: GlanceRow = {
    ...row,
    stage: outcome.stage,
    tools: outcome.tools,
    reason: late ?? outcome.reason ?? (isLive ? 'shown' : 'shadow'),
    nudge: spoken !== null,
    ...(spoken && { kind: spoken.kind, sender: spoken.sender, thread_id: spoken.thread_id }),
    ...(spoken && { message: spoken.message, action_prompt: spoken.action_prompt, note: spoken.note }),
    evidence: spoken
      ? [{ thread_id: spoken.thread_id, message_id: spoken.message_id, quote: spoken.quote }]
      : [],
    ...meter.total(),
    duration_ms: Math.round(performance.now() - started),
  }
  const isStored = await createGlancesRepo(database).finish(finished, now())
  if (!isStored) return decisionOf({ ...finished, nudge: false, reason: 'interrupted' })
  if (spoken && isLive) {
    const data = { id: row.id, space_id: row.space_id, state: 'shown' as const, message: spoken.message }
    deps.publish({ type: 'nudge', data })
  }
  return decisionOf(finished)
}

async function ask(
  deps: LookDeps,
  { space_id, callModel, signal }: LookRequest,
  { seen, meter }: { seen: Seen; meter: ReturnType<typeof createMeter> },
): Promise<Outcome> {
  try {
    const agent = await deps.agent(space_id)
    const given: CurrentModel | null = callModel && { mode: 'online', name: replacedName, callModel }
    const main = given ?? deps.models.current(agent.model)
    const small = given ?? deps.models.small() ?? main
    return await decide(deps, { space_id, seen, small, main, agent, meter, signal })
  } catch (error) {
    deps.logger.warn({ err: error, space_id }, 'glance failed')
    return { stage: 'analyst', reason: 'failed', spoken: null, tools: [] }
  }
}

/** What the owner has set meanwhile, or begun, that it must not speak into. */
async function changedMind(
  { database, now }: LookDeps,
  { space_id, mode }: GlanceRow,
): Promise<GlanceReason | null> {
  const settings = await createGlanceSettingsRepo(database).find(space_id)
  if (!settings) return null
  if (settings.mode === 'off' || (mode === 'live' && settings.mode !== 'live')) return 'off'
  const { snoozed_until } = settings
  return snoozed_until !== null && Date.parse(snoozed_until) > now().getTime() ? 'snoozed' : null
}

async function turnOff({ database, now, publish }: LookDeps, space_id: string): Promise<void> {
  const wasLive = await createGlanceSettingsRepo(database).turnOff(space_id, now())
  if (wasLive) publish({ type: 'nudge', data: { id: null, space_id, state: 'off', message: null } })
}

async function record(deps: LookDeps, { source }: LookRequest, row: GlanceRow): Promise<GlanceDecision> {
  if (source === 'mail' && passing.includes(row.reason)) return { ...decisionOf(row), id: null }
  await createGlancesRepo(deps.database).insert(row)
  return decisionOf(row)
}

const decisionOf = ({
  id,
  mode,
  nudge,
  stage,
  reason,
  message,
  action_prompt,
  evidence,
}: GlanceRow): GlanceDecision => ({
  id,
  surface: nudge && mode === 'live',
  ...(nudge && message !== null && action_prompt !== null ? { message, action_prompt } : {}),
  stage,
  reason,
  evidence,
})

function newRow({ space_id, source }: LookRequest, mode: GlanceRow['mode'], at: Date): GlanceRow {
  return {
    id: uuid(),
    space_id,
    source,
    mode,
    view_key: '',
    title: '',
    stage: 'code',
    reason: 'failed',
    nudge: false,
    evaluated: false,
    kind: null,
    sender: null,
    thread_id: null,
    message: null,
    note: null,
    action_prompt: null,
    evidence: [],
    tools: [],
    tokens: 0,
    cost: null,
    duration_ms: 0,
    verdict: null,
    judged_at: null,
    created_at: at.toISOString(),
  }
}
