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
import type { Given, GivenText } from '../../changes/grounding/provenance.ts'
import type { Proposal } from '../../changes/propose/proposal.ts'
import type { UserMessage } from '../../contract/companion/companion.ts'
import type { ReadyName } from '../../contract/companion/ready-routines.ts'
import type { RoutineMark } from '../../contract/companion/routines.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import type { Usage } from '../../contract/events/events.ts'
import type { AgentActor } from '../../core/actor.ts'
import { forbidden } from '../../core/errors.ts'
import type { Calendar } from '../../core/schedule/calendar.ts'
import { quoteName } from '../../core/text/quote-name.ts'
import type { Database } from '../../db/pool.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { createRoutineEventsRepo } from '../../db/repos/routine_events.ts'
import { createRoutineDraftsRepo } from '../../db/repos/routine_runs.ts'
import { createRoutinesRepo, type RoutineRow } from '../../db/repos/routines.ts'
import type { TurnRow } from '../../db/repos/turns.ts'
import type { TextThreads } from '../../jobs/workers/text-threads.ts'
import { createAdmitDraft, maxDraftsPerRun } from './admit-draft.ts'
import { isSpent } from './is-spent.ts'
import { nothingToDoTool } from './ready/nothing-to-do.ts'
import { createOverviewTool } from './ready/overview-tool.ts'
import type { OverviewName } from './ready/overviews.ts'
import { createReadyModel } from './ready/ready-model.ts'

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
  { database, kinds, calendar }: Pick<RoutineTurnDeps, 'database' | 'kinds' | 'calendar'>,
  { space_id }: Pick<TurnRow, 'space_id'>,
  { mark, offered }: { mark: RoutineMark; offered: ToolRegistry },
): Promise<RoutineTurn> {
  const tools = routineTools(offered, mark)
  if (mark.ready && isOverview(mark.ready))
    tools.registerTool(createOverviewTool(mark.ready, { database, calendar }))
  const mayDraft = tools.getTool('propose_change') !== undefined
  const drafts = mayDraft ? await describeDrafts(database, kinds, space_id, mark.routine_id) : ''
  const and_draft = mayDraft
    ? renderPrompt('routine-drafts', { most: String(maxDraftsPerRun), drafts }).trim()
    : ''
  const prompt = renderPrompt('routine', { name: quoteName(mark.name, maxNameTokens), and_draft })
  const events = await createRoutineEventsRepo(database).listOf(mark.run_id, maxListed)
  if (events.length === 0) return { tools, prompt }
  const lines = events.map((event) => JSON.stringify(event)).join('\n')
  return { tools, prompt: `${prompt}\n\n${renderPrompt('routine-events', { events: lines })}` }
}

const maxNameTokens = 40

function routineTools(offered: ToolRegistry, { dry, ready }: RoutineMark): ToolRegistry {
  const registry = createRegistry()
  for (const tool of offered.listTools()) {
    if (!closedList.has(tool.name) || (ready === 'morning_brief' && tool.capability !== 'read')) continue
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

type Running = Terms & {
  turn: Pick<TurnRow, 'id' | 'space_id' | 'agent_id'>
  actor: AgentActor
  message: Pick<UserMessage, 'routine' | 'text'>
}

/** What a run has in place of a turn's own. */
export async function routineTerms(
  deps: RoutineTurnDeps & { threads: TextThreads },
  { model, services, turn, actor, message, wallClockMs = routineWallClockMs }: Running,
): Promise<Terms> {
  const { routine } = message
  const terms = {
    services: routineServices(services, deps, turn),
    wallClockMs: Math.min(wallClockMs, routineWallClockMs),
  }
  if (!routine?.ready)
    return { ...terms, model: model.mode === 'online' ? model : { ...model, callModel: sayNoModel } }
  const isPaid = model.mode === 'online' && (await mayPay(deps, routine.routine_id))
  if (isPaid && isOverview(routine.ready)) return { ...terms, model }
  const { callModel, sourcesOf } = createReadyModel({
    ...{ ...deps, ready: routine.ready, dry: routine.dry, maxDrafts: maxDraftsPerRun },
    ...{ space_id: turn.space_id, turn_id: turn.id, instruction: message.text },
    judge: isPaid ? model.callModel : null,
    async near(text, { without, limit }) {
      const asked = {
        space_id: turn.space_id,
        q: text,
        kinds: ['page'],
        without,
        group: 'entity' as const,
        limit,
      }
      const { passages } = await services.search(actor, asked)
      return passages.map(({ entity_id }) => entity_id)
    },
  })
  const { propose } = terms.services
  return {
    ...terms,
    model: { ...model, callModel },
    services: {
      ...terms.services,
      propose: (by, proposal) => propose(by, { ...proposal, given: withSources(proposal, sourcesOf) }),
    },
  }
}

const isOverview = (ready: ReadyName): ready is OverviewName =>
  ready === 'morning_brief' || ready === 'weekly_review'

function withSources(
  { given, tool_use_id }: Proposal,
  sourcesOf: (toolUseId: string | null) => readonly GivenText[],
): Given | undefined {
  return given && { ...given, sources: [...given.sources, ...sourcesOf(tool_use_id)] }
}

/** Whether a model may be called for a routine: code does without. */
async function mayPay({ database, budget, calendar }: RoutineTurnDeps, id: string): Promise<boolean> {
  const routine = await createRoutinesRepo(database).find(id)
  if (!routine || (await budget.refusal()) !== null) return false
  return routine.budget_usd > 0 && !(await isSpent(database, routine, calendar.now()))
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
  { routine_id, ready }: RoutineMark,
  { model, resumption }: { model: CurrentModel; resumption: { earlier?: { usage: Usage } | null } | null },
) {
  const price = priceOf(prices, model.name)
  let used = resumption?.earlier?.usage ?? noUsage

  return {
    count(usage: Partial<Usage> | undefined): void {
      used = addUsage(used, { ...noUsage, ...usage })
    },
    async refusal(): Promise<string | null> {
      // Code costs nothing, and asks a model only where that may be paid for.
      if (ready && !isOverview(ready)) return null
      const refusal = await budget.refusal()
      if (refusal !== null) return ready ? null : refusal
      const routine = await createRoutinesRepo(database).find(routine_id)
      if (!routine) return 'I stopped here, because this routine was deleted.'
      if (ready && used === noUsage) return null
      const cost = price ? costOf(price, used) : 0
      return cost >= routine.budget_usd ? budgetText(routine) : null
    },
  }
}

const budgetText = ({ budget_usd }: Pick<RoutineRow, 'budget_usd'>): string =>
  `I stopped here, because the budget of a run of this routine, $${budget_usd.toFixed(2)}, is used up.`
