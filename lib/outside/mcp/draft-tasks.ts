// A draft as a task: it works while the draft waits, and has ended when the owner has decided. Nothing is stored for it:
// the draft's own row is what it is derived from, so it outlives restarts of both sides. The owner decides in Void, so
// nothing is ever asked of the client.

import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Outcome } from '../../changes/list-outcomes.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { AgentActor } from '../../core/actor.ts'
import { AppError } from '../../core/errors.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import type { McpDeps } from './mcp-deps.ts'
import type { Task, Tasks } from './tasks.ts'

const pollIntervalMs = 5000
/** Drafts that took the place of one another. */
const maxSuccessors = 50

type Viewer = { actor: AgentActor; baseUrl: string }

/** The drafts of an agent as tasks; those of others are unknown to it. */
export function createDraftTasks({ database, services }: McpDeps, { actor, baseUrl }: Viewer): Tasks {
  const changes = createPendingChangesRepo(database)

  return {
    find,

    // Nothing is asked, so there is nothing to take.
    update: async () => {},

    async cancel(draftId) {
      const outcome = await loadOutcome(draftId)
      if (outcome?.outcome !== 'pending') return
      await services.retract(actor, outcome.draft).catch((error: unknown) => {
        // The owner was faster: the task has ended.
        if (!(error instanceof AppError) || error.status !== 409) throw error
      })
    },
  }

  async function find(draftId: string): Promise<Task | null> {
    const first = await findDraft(draftId)
    const outcome = first && (await loadOutcome(draftId))
    if (!outcome) return null
    const last = outcome.draft === draftId ? first : ((await findDraft(outcome.draft)) ?? first)
    const facts = {
      taskId: draftId,
      createdAt: isoOf(first.created_at),
      lastUpdatedAt: isoOf(last.decided_at ?? last.created_at),
      ttlMs: null,
      pollIntervalMs,
      statusMessage: sentenceOf(outcome.outcome),
    }
    if (outcome.outcome === 'pending') return { ...facts, status: 'working' }
    if (outcome.outcome === 'retracted') return { ...facts, status: 'cancelled' }
    return { ...facts, status: 'completed', result: toResult(outcome) }
  }

  async function findDraft(id: string): Promise<PendingChange | null> {
    if (!z.uuid().safeParse(id).success) return null
    return await changes.find(id, { space_ids: actor.spaces, agent_id: actor.agent_id })
  }

  /** What became of it; of a draft that another one took the place of, what became of that. */
  async function loadOutcome(draftId: string): Promise<Outcome | null> {
    let outcome: Outcome | null = null
    let next: string | null = draftId
    for (let step = 0; next !== null && step < maxSuccessors; step += 1) {
      const draft: PendingChange | null = await findDraft(next)
      const [found] = draft
        ? await services.outcomes(actor, { space_id: draft.space_id, id: draft.id, limit: 1 })
        : []
      if (!draft || !found) return outcome
      outcome = found
      next = found.outcome === 'superseded' ? draft.superseded_by : null
    }
    return outcome
  }

  function toResult({ outcome, ...about }: Outcome): CallToolResult {
    const url = `${baseUrl}/inbox/${about.draft}`
    const told = { status: outcome, summary: sentenceOf(outcome), ...about, url }
    return {
      content: [
        { type: 'text', text: `${sentenceOf(outcome)}\n\n${JSON.stringify(told)}` },
        { type: 'resource_link', uri: url, name: 'Draft' },
      ],
      structuredContent: told,
    }
  }
}

function sentenceOf(outcome: string): string {
  return sentences.get(outcome) ?? `The draft is ${outcome}.`
}

const sentences: ReadonlyMap<string, string> = new Map([
  ['pending', 'Nothing has been applied: the draft waits for its owner.'],
  ['approved', 'The owner approved the draft, and it was applied.'],
  [
    'edited',
    'The owner edited the draft, and what they approved was applied; owner_changed has the difference.',
  ],
  ['partly_approved', 'The owner approved a part of the draft; the rest waits as a draft of its own.'],
  ['rejected', 'The owner rejected the draft. Do not propose the same again.'],
  ['undone', 'The draft was applied, and the owner undid it. Do not propose the same again.'],
  ['expired', 'The draft expired before it was decided. Nothing was applied.'],
  ['obsolete', 'The draft no longer applies. Nothing was applied.'],
  ['retracted', 'The draft was withdrawn. Nothing was applied.'],
])

const isoOf = (time: string | Date): string => new Date(time).toISOString()
