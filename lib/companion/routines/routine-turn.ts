// What differs in a turn that is a run of a routine: nobody is there. Its tools are a closed list, its drafts are held to
// limits, it costs no more than its budget, and what would ask the owner is refused.

import { createRegistry, type ToolRegistry } from '../../ai/agent/registry.ts'
import type { ToolServices } from '../../ai/agent/services.ts'
import { addUsage, type CallModel, noUsage } from '../../ai/model.ts'
import type { CurrentModel } from '../../ai/models/model-provider.ts'
import { renderPrompt } from '../../ai/prompts/prompts.ts'
import type { DailyBudget } from '../../ai/usage/budget.ts'
import { costOf, type Prices, priceOf } from '../../ai/usage/prices.ts'
import { loadCardLines } from '../../changes/card/load-card-lines.ts'
import type { UserMessage } from '../../contract/companion/companion.ts'
import type { RoutineMark } from '../../contract/companion/routines.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Usage } from '../../contract/events/events.ts'
import { forbidden } from '../../core/errors.ts'
import type { Calendar } from '../../core/schedule/calendar.ts'
import { quoteName } from '../../core/text/quote-name.ts'
import type { Database } from '../../db/pool.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { createRoutineDraftsRepo } from '../../db/repos/routine_runs.ts'
import { createRoutinesRepo, type RoutineRow } from '../../db/repos/routines.ts'
import type { TurnRow } from '../../db/repos/turns.ts'
import { createAdmitDraft, maxDraftsPerRun } from './admit-draft.ts'
import { nothingToDoTool } from './nothing-to-do.ts'
import { createTidyModel } from './tidy-model.ts'

/** How long a run may take, where turns may take longer. */
const routineWallClockMs = 5 * 60_000

/** What a routine is told that runs without a model. */
export const noModelText =
  'No model is connected, so this routine cannot run. Connect one in Settings, under Companion.'

/** Reading, and drafts: nothing that moves the owner's view, and nothing that waits for them. */
const closedList = new Set([
  ...['search', 'read', 'list', 'propose_change', 'find_tool', 'call_tool'],
  ...['search_email', 'read_email_thread'],
])

type RoutineTurnDeps = {
  database: Database
  kinds: Kinds
  calendar: Calendar
  prices: Prices
  budget: Pick<DailyBudget, 'refusal'>
}

export type RoutineTurn = {
  /** Put behind the system prompt. */
  prompt: string
  tools: ToolRegistry
}

/** What the model of a run is given beside what any turn gives it. */
export async function prepareRoutine(
  { database, kinds }: Pick<RoutineTurnDeps, 'database' | 'kinds'>,
  { space_id }: Pick<TurnRow, 'space_id'>,
  { mark, offered }: { mark: RoutineMark; offered: ToolRegistry },
): Promise<RoutineTurn> {
  const tools = routineTools(offered, mark)
  const mayDraft = tools.getTool('propose_change') !== undefined
  const drafts = mayDraft ? await describeDrafts(database, kinds, space_id, mark.routine_id) : ''
  const and_draft = mayDraft
    ? renderPrompt('routine-drafts', { most: String(maxDraftsPerRun), drafts }).trim()
    : ''
  return {
    tools,
    prompt: renderPrompt('routine', { name: quoteName(mark.name, maxNameTokens), and_draft }),
  }
}

const maxNameTokens = 40

function routineTools(offered: ToolRegistry, { dry }: RoutineMark): ToolRegistry {
  const registry = createRegistry()
  for (const tool of offered.listTools()) {
    if (!closedList.has(tool.name)) continue
    registry.registerTool(dry && tool.name === 'propose_change' ? { ...tool, ...dryDraft } : tool)
  }
  registry.registerTool(nothingToDoTool)
  return registry
}

/** In a dry run a draft is not stored: the answer says what it would have been. */
const dryDraft = {
  capability: 'read' as const,
  actionClass: 'navigational' as const,
  handler: async () => ({
    drafted: false,
    note: 'This is a dry run: nothing is stored. Go on as if it were, and say in the answer what you would draft.',
  }),
  render: undefined,
  structured: undefined,
  summarize: () => 'would draft a change (dry run)',
  target: () => null,
  given: () => [],
}

const maxListed = 30

/** One line of JSON for each, in Void's own words with titles as they are; nothing in it is an instruction. */
async function describeDrafts(
  database: Database,
  kinds: Kinds,
  space_id: string,
  routineId: string,
): Promise<string> {
  const ids = await createRoutineDraftsRepo(database).listIds(routineId, maxListed)
  if (ids.length === 0) return '(none)'
  const changes = await createPendingChangeListsRepo(database).listByIds({ space_id, agent_id: null }, ids)
  const lines = await loadCardLines(database, kinds, changes)
  return lines
    .map(({ status, summary, entity_type, entity_id }) =>
      JSON.stringify({
        was: status === 'pending' ? 'open' : status,
        kind: entity_type,
        id: entity_id,
        draft: quoteName(summary, maxNameTokens),
      }),
    )
    .join('\n')
}

/** The services of a run: its drafts are held to limits, and what waits for the owner is refused. */
function routineServices(
  services: ToolServices,
  { database, calendar }: Pick<RoutineTurnDeps, 'database' | 'calendar'>,
  turn: Pick<TurnRow, 'id' | 'space_id' | 'agent_id'>,
): ToolServices {
  const admit = createAdmitDraft(turn.id, calendar)
  return {
    ...services,
    propose: (actor, proposal) => services.propose(actor, { ...proposal, admit }),
    callOutsideTool: (actor, call) => services.callOutsideTool(actor, { ...call, unattended: true }),
    async retract(actor, id) {
      const within = { space_ids: [turn.space_id], agent_id: turn.agent_id }
      const draft = await createPendingChangesRepo(database).find(id, within)
      if (draft?.turn_id !== turn.id) throw forbidden('A routine withdraws only drafts of this run.')
      return await services.retract(actor, id)
    },
  }
}

type Terms = { model: CurrentModel; services: ToolServices; wallClockMs: number | undefined }

/** What a run has in place of a turn's own. */
export function routineTerms(
  deps: Pick<RoutineTurnDeps, 'database' | 'calendar'>,
  {
    model,
    services,
    turn,
    message,
    wallClockMs = routineWallClockMs,
  }: Terms & { turn: Pick<TurnRow, 'id' | 'space_id' | 'agent_id'>; message: Pick<UserMessage, 'routine'> },
): Terms {
  return {
    model: modelOf(deps.database, { model, ready: message.routine?.ready, spaceId: turn.space_id }),
    services: routineServices(services, deps, turn),
    wallClockMs: Math.min(wallClockMs, routineWallClockMs),
  }
}

type Ready = { model: CurrentModel; ready: RoutineMark['ready']; spaceId: string }

function modelOf(database: Database, { model, ready, spaceId }: Ready): CurrentModel {
  if (ready === 'tidy') return { ...model, callModel: createTidyModel(database, spaceId) }
  return model.mode === 'online' ? model : { ...model, callModel: sayNoModel }
}

/** In place of rules, which cannot follow an instruction. */
const sayNoModel: CallModel = async () => ({
  text: noModelText,
  content: [{ type: 'text', text: noModelText }],
  toolUses: [],
  stopReason: 'end_turn',
  usage: noUsage,
})

/** Counts what a run has used, and says why it may not call its model again; `null`: it may. */
export function createRunBudget(
  { database, prices, budget }: Pick<RoutineTurnDeps, 'database' | 'prices' | 'budget'>,
  { routine_id }: RoutineMark,
  { model, resumption }: { model: CurrentModel; resumption: { earlier?: { usage: Usage } | null } | null },
) {
  const price = priceOf(prices, model.name)
  let used = resumption?.earlier?.usage ?? noUsage

  return {
    count(usage: Partial<Usage> | undefined): void {
      used = addUsage(used, { ...noUsage, ...usage })
    },
    async refusal(): Promise<string | null> {
      const refusal = await budget.refusal()
      if (refusal !== null) return refusal
      const routine = await createRoutinesRepo(database).find(routine_id)
      if (!routine) return 'I stopped here, because this routine was deleted.'
      const cost = price ? costOf(price, used) : 0
      return cost >= routine.budget_usd ? budgetText(routine) : null
    },
  }
}

const budgetText = ({ budget_usd }: Pick<RoutineRow, 'budget_usd'>): string =>
  `I stopped here, because the budget of a run of this routine, $${budget_usd.toFixed(2)}, is used up.`
