import { sha256 } from '../../changes/payload.ts'
import type { CallRun } from '../../contract/changes/card.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { actorName, type SystemActor } from '../../core/actor.ts'
import { AppError } from '../../core/errors.ts'
import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { type ApprovedCall, createCallRunsRepo } from '../../db/repos/tool_calls.ts'
import { createKickedJob, type KickedJob } from '../../jobs/kicked-job.ts'
import type { CallAnswer, CallTool } from './call-tool.ts'
import { storeResult } from './store-result.ts'

/** Makes approved calls: at once when kicked, and those of a server that ended before it could. */
export type CallRunner = KickedJob

export const createCallRunner = (deps: RunCallsDeps): CallRunner =>
  createKickedJob(deps, {
    name: 'outside_calls',
    isDue: () => createCallRunsRepo(deps.database).isAnyOpen(),
    run: (signal) => runCalls(deps, signal),
  })

// Makes the calls that the owner approved, one after the other, each once at most. A call is marked as running before
// anything is sent: whatever happens then, it is never sent again. One that was running when its server died ends as
// unknown, and so does one whose answer did not come.

export type RunCallsDeps = {
  database: Database
  kinds: Kinds
  callTool: CallTool
  logger: Logger
  now: () => Date
  /** Told of each that has ended. Must not reject. */
  onEnd: (callId: string) => Promise<void>
}

type Ending = { state: Extract<CallRun['state'], 'done' | 'failed' | 'unknown'>; error: string | null }

const runner: SystemActor = { kind: 'system', name: 'calls' }

const lostWithServer = 'The server ended while the call was made.'

/** One round: until none waits, or `signal` is aborted between two. To be run by one server at a time. */
export async function runCalls(deps: RunCallsDeps, signal: AbortSignal): Promise<void> {
  const { database, now } = deps
  for (const id of await createCallRunsRepo(database).listRunning()) {
    await end(deps, id, { state: 'unknown', error: lostWithServer }, null)
  }
  while (!signal.aborted) {
    const call = await createCallRunsRepo(database).claim(now())
    if (!call) return
    await make(deps, call)
  }
}

async function make(deps: RunCallsDeps, call: ApprovedCall): Promise<void> {
  const { source, source_id, tool, tool_sha256, arguments: text } = readPayload(call.payload)
  const answer = await deps
    .callTool(
      { space_id: call.space_id, source_id, tool, tool_sha256, policy: 'ask', arguments: JSON.parse(text) },
      // It goes on to its own limit, whoever stops: a call that was sent is not taken back.
      new AbortController().signal,
    )
    .catch((error: unknown): CallAnswer => {
      if (!(error instanceof AppError)) deps.logger.error({ err: error, call: call.call_id }, 'call failed')
      const message = error instanceof AppError ? error.message : 'The call failed inside Void.'
      return { sent: false, answered: false, text: message, cut: false, failed: true }
    })
  const ending = endingOf(answer)
  const result = answer.answered ? { ...answer, source_id, source_name: source, tool, arguments: text } : null
  await end(deps, call.call_id, ending, result && { call, result })
}

function endingOf({ sent, answered, failed, text }: CallAnswer): Ending {
  if (answered) return { state: failed ? 'failed' : 'done', error: failed ? text.slice(0, 500) : null }
  return { state: sent ? 'unknown' : 'failed', error: text.slice(0, 500) }
}

type Stored = { call: ApprovedCall; result: Parameters<typeof storeResult>[1]['result'] }

async function end(
  { database, kinds, now, onEnd }: RunCallsDeps,
  callId: string,
  ending: Ending,
  stored: Stored | null,
): Promise<void> {
  await database.transaction(async (tx) => {
    await createAuditRepo(tx).lock()
    const result_id = stored
      ? await storeResult(tx, { ...stored.call, result: stored.result, now: now() })
      : null
    if (!(await createCallRunsRepo(tx).end(callId, { ...ending, result_id }, now()))) return
    const row = await createEntitiesRepo(tx).findWithinSpaces(kinds.get('call'), null, callId)
    await createAuditRepo(tx).append({
      space_id: row?.space_id ?? null,
      actor: actorName(runner),
      action: 'call',
      entity_type: 'call',
      entity_id: callId,
      version: row?.version ?? null,
      before: null,
      after: { ...ending, result_id, ...(stored ? { result_sha256: sha256(stored.result.text) } : {}) },
      pending_change_id: null,
      undoes: null,
      undoes_since: null,
    })
  })
  await onEnd(callId)
}

const readPayload = (
  payload: string,
): Record<'source' | 'source_id' | 'tool' | 'tool_sha256' | 'arguments', string> => JSON.parse(payload)
