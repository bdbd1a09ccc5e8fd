// Research that an external agent starts: in the Space alone, without pauses or a page, within the tokens that the owner
// lets this agent use in a day. It is a turn like any other, in a thread of its own that is archived, so that no message
// of the owner is routed there. The id that the agent is given is that of the turn.

import { v7 as uuid } from 'uuid'
import type { AgentResearch, ResearchProgress } from '../../ai/agent/agent-research.ts'
import { canAct, mayEnterSpace } from '../../auth/capability.ts'
import type { UserMessage } from '../../contract/companion/companion.ts'
import type { Actor, AgentActor } from '../../core/actor.ts'
import { forbidden, notFound } from '../../core/errors.ts'
import type { Calendar } from '../../core/schedule/calendar.ts'
import { firstWords } from '../../core/text/bounds.ts'
import { quoteName } from '../../core/text/quote-name.ts'
import type { Database } from '../../db/pool.ts'
import { createConversationTitlesRepo } from '../../db/repos/conversation_titles.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { createResearchRunsRepo, type ResearchRunRow } from '../../db/repos/research_runs.ts'
import { createResearchEvidenceRepo, createResearchStagesRepo } from '../../db/repos/research_stages.ts'
import { createTurnsRepo, type TurnRow } from '../../db/repos/turns.ts'
import { admitAgent } from './run/admit-agent.ts'
import { spentBy } from './run/budget.ts'

type AgentResearchDeps = {
  database: Database
  calendar: Calendar
  /** The companion that answers in a Space, and its turns. */
  companion: {
    agent(space_id: string): Promise<{ id: string }>
    start(
      actor: Actor,
      turn: {
        space_id: string
        message: UserMessage
        conversation_id: string
        agent_id: string
        idempotency_key: string
        queue: boolean
      },
    ): Promise<TurnRow>
  }
}

const system: Actor = { kind: 'system', name: 'research' }

/** What tells the turns of an agent's research from others. */
const keyOf = (agentId: string) => `research:${agentId}:`

export function createAgentResearch({ database, calendar, companion }: AgentResearchDeps): AgentResearch {
  return {
    async start(actor, { space_id, question, depth }) {
      const agent = readerOf(actor, space_id)
      const admitted = await database.transaction((tx) =>
        admitAgent(tx, agent.agent_id, { space_id, calendar }),
      )
      if ('refusal' in admitted) throw admitted.refusal
      const { id: agent_id } = await companion.agent(space_id)
      const asked_by = { agent_id: agent.agent_id, question }
      const turn = await companion.start(system, {
        space_id,
        message: {
          text: `The external agent ${quoteName(agent.slug, 40)} asks for research. A quotation, no request of the owner: ${quoteName(question, 2000)}`,
          research: { depth, rerun_of: null, asked_by },
        },
        conversation_id: await openThread(space_id, agent_id, `${agent.slug}: ${firstWords(question)}`),
        agent_id,
        idempotency_key: `${keyOf(agent.agent_id)}${uuid()}`,
        queue: true,
      })
      return await progressOf(turn)
    },

    find: async (actor, request) => await progressOf(await findOwn(actor, request)),

    async listPassages(actor, { after, limit, ...request }) {
      const { id } = await findOwn(actor, request)
      const run = await createResearchRunsRepo(database).findByFirstTurn(id)
      const rows = run ? await createResearchEvidenceRepo(database).list(run.id, after, limit) : []
      return rows.map(({ n, entity_type, entity_id, title, text }) => ({
        ...{ n, kind: entity_type, id: entity_id },
        ...{ title, text },
      }))
    },
  }

  async function openThread(space_id: string, agentId: string, title: string): Promise<string> {
    return await database.transaction(async (tx) => {
      const conversations = createConversationsRepo(tx)
      const { id } = await conversations.insert(space_id, agentId, system)
      await createConversationTitlesRepo(tx).rename(space_id, id, title)
      await conversations.setArchived(space_id, id, true)
      return id
    })
  }

  /** Throws a 404 `AppError` for what this agent did not start, or not in this Space. */
  async function findOwn(actor: Actor, { space_id, id }: { space_id: string; id: string }): Promise<TurnRow> {
    const { agent_id } = readerOf(actor, space_id)
    const turn = await createTurnsRepo(database).find(id)
    const isOwn = turn?.space_id === space_id && turn.idempotency_key?.startsWith(keyOf(agent_id))
    if (!turn || !isOwn) throw notFound('research', id)
    return turn
  }

  async function progressOf({ id, status }: TurnRow): Promise<ResearchProgress> {
    const run = await createResearchRunsRepo(database).findByFirstTurn(id)
    if (!run) {
      const isOver = status !== 'queued' && status !== 'running'
      const note = isOver ? 'It did not start: the budget or your access has changed.' : 'Waiting to start.'
      return {
        ...{ id, status: isOver ? 'failed' : 'queued', note, outcome: null, answer: null },
        tokens: { used: 0, budget: 0 },
      }
    }
    const stages = await createResearchStagesRepo(database).list(run.id)
    const last = stages.at(-1)
    return {
      ...{ id, status: run.status, outcome: run.outcome, answer: run.answer?.markdown ?? null },
      note: noteOf(run, last ? `${last.stage}: ${last.summary || last.status}` : 'Starting.'),
      tokens: { used: spentBy(stages).tokens, budget: run.budget_tokens },
    }
  }
}

const noteOf = ({ status, error }: ResearchRunRow, stage: string): string => {
  if (status === 'paused') return `The budget is reached; the owner can let it continue. ${stage}`
  return status === 'failed' && error ? error.message : stage
}

/** Throws a 403 `AppError`. */
function readerOf(actor: Actor, spaceId: string): AgentActor {
  if (actor.kind !== 'agent') throw forbidden('Only an external agent starts research in this way.')
  if (!mayEnterSpace(actor, spaceId) || canAct(actor, 'read', 'space') !== 'allow')
    throw forbidden('You may not read this Space.')
  return actor
}
