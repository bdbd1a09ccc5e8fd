// Routines under a clock that tests move, on servers whose turns end at once.

import { hash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { nextTimes, readSchedule } from '../../../lib/companion/routines/plan-run.ts'
import { type RunDeps, runDueRoutines } from '../../../lib/companion/routines/run-routines.ts'
import { createLogger } from '../../../lib/core/logger.ts'
import type { Database } from '../../../lib/db/pool.ts'
import { createAgentsRepo } from '../../../lib/db/repos/agents.ts'
import type { RoutineRunRow } from '../../../lib/db/repos/routine_runs.ts'
import { createRoutinesRepo, type RoutineRow } from '../../../lib/db/repos/routines.ts'
import { createSpacesRepo } from '../../../lib/db/repos/spaces.ts'
import { createTurnsRepo } from '../../../lib/db/repos/turns.ts'

export type Clock = { now: Date }

/** A server that hangs, once, at the point that is named: as one that is killed there. */
export type Server = { deps: RunDeps; killAt: 'before' | 'after' | null; killed: boolean }

export function createServer(database: Database, clock: Clock): Server {
  const server: Server = {
    killAt: null,
    killed: false,
    deps: {
      database,
      logger: createLogger('silent'),
      calendar: { now: () => clock.now, zone: () => 'Europe/Berlin' },
      prices: new Map(),
      models: {
        current: () => ({ mode: 'online', name: 'scripted', callModel: async () => Promise.reject() }),
      },
      budget: { refusal: async () => null },
      live: { publish: () => {} },
      companion: {
        agent: async (space_id, agent_id = null) => {
          const asked = { space_id, agent_id, conversation_id: null }
          return (await createAgentsRepo(database).findAddressed(asked))!
        },
        stop: async () => {},
        async start(_actor, request) {
          if (server.killAt === 'before') return await die()
          const turns = createTurnsRepo(database)
          const known = await turns.findByIdempotencyKey(request.space_id, request.idempotency_key)
          const { space_id, conversation_id, agent_id, idempotency_key } = request
          const body_hash = hash('sha256', idempotency_key)
          const turn = {
            id: uuid(),
            space_id,
            conversation_id,
            agent_id,
            idempotency_key,
            body_hash,
            model: 'scripted',
          }
          const row =
            known ??
            (await turns.insert(turn, { lease: { owner: 'test', seconds: 60 } }, []).catch(async (error) => {
              const other = await turns.findByIdempotencyKey(space_id, idempotency_key)
              if (!other) throw error
              return other
            }))
          await database.query("update turns set status = 'done', finished_at = now() where id = $1", [
            row.id,
          ])
          if (server.killAt === 'after') return await die()
          return row
        },
      },
    },
  }
  return server

  async function die(): Promise<never> {
    server.killed = true
    return await new Promise<never>(() => {})
  }
}

/** One look at the clock; ends for a server that is killed meanwhile. */
export async function tick(server: Server): Promise<void> {
  const { signal } = new AbortController()
  const { database, calendar } = server.deps
  if (!(await createRoutinesRepo(database).isAnyDue(calendar.now()))) return
  const round = runDueRoutines(server.deps, signal)
  const death = (async () => {
    while (!server.killed) await new Promise((resolve) => setTimeout(resolve, 1))
  })()
  await Promise.race([round, server.killAt ? death : round])
}

export async function makeSpace(database: Database): Promise<string> {
  const id = uuid()
  const slug = `night-${id.slice(-6)}`
  await createSpacesRepo(database).insert({ id, slug, name: 'Night', description: '', actor: 'owner' })
  return id
}

export async function makeRoutine(
  database: Database,
  space_id: string,
  {
    rule,
    zone = 'Europe/Berlin',
    now,
    ...given
  }: { rule: string; zone?: string; now: Date } & Partial<RoutineRow>,
): Promise<RoutineRow> {
  const read = readSchedule(rule, zone)
  if ('problem' in read) throw new Error(read.problem)
  const at = now.toISOString()
  const row: RoutineRow = {
    ...{ id: uuid(), space_id, name: rule.slice(0, 60), instruction: 'Look.', ...read, time_zone: zone },
    ...{ starts_on: at.slice(0, 10), event: null, filter: '', agent_id: null, model: null },
    ready: null,
    ...{ budget_usd: 1, daily_budget_usd: null, quiet_from: null, quiet_until: null, enabled: true },
    ...{ paused_reason: null, failures: 0, next_due_at: null, next_start_at: null, computed_at: at },
    ...{ conversation_id: null, created_at: at, updated_at: at },
    ...given,
  }
  return await createRoutinesRepo(database).insert({ ...row, ...nextTimes(row, now, now) })
}

export async function runsOf(database: Database, routineId: string): Promise<RoutineRunRow[]> {
  const { rows } = await database.query<RoutineRunRow>(
    'select * from routine_runs where routine_id = $1 order by due_at',
    [routineId],
  )
  return rows
}
