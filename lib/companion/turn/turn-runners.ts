// The turns that run on this server: started, their leases renewed in one statement, interrupted.

import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import type { LeaseTerms, TurnRow } from '../../db/repos/turns.ts'
import { createTurnsRepo } from '../../db/repos/turns.ts'
import type { TurnStream } from '../stream/turn-stream.ts'
import { runCompanionTurn, type TurnLeft } from './run-turn.ts'
import { Interruption, type RunningTurn } from './running-turn.ts'
import { createEventStore } from './turn-storage.ts'

export type Launch = Omit<RunningTurn, 'lease' | 'controller'>

export type TurnRunners = {
  /** Runs a turn that this server holds the lease of. */
  launch(launch: Launch): void
  findStream(turnId: string): TurnStream | null
  /** How many turns run here, and how many of them another server began. */
  count(): { all: number; resumed: number }
  /** Interrupts a turn, if it runs here; resolves when it has been stored. */
  interrupt(turnId: string, interruption: Interruption): Promise<void>
  interruptAll(interruption: Interruption): void
  /** Renews the leases of all turns here where the regular renewal is late. Never rejects. */
  renew(): Promise<void>
  /** Resolves when nothing runs here any more. */
  idle(): Promise<void>
}

export type TurnRunnersDeps = {
  database: Database
  logger: Logger
  terms: LeaseTerms
  /** Called when more of a turn has been stored. */
  onStored: (turnId: string) => void
  /** Called when a turn has ended here, or has been left to another server. Must not throw. */
  onLeft: (turn: TurnRow, left: TurnLeft) => void
}

type Runner = {
  stream: TurnStream
  controller: AbortController
  finished: Promise<void>
  isResumed: boolean
}

export function createTurnRunners({
  database,
  logger,
  terms,
  onStored,
  onLeft,
}: TurnRunnersDeps): TurnRunners {
  const runners = new Map<string, Runner>()
  const storeEvents = createEventStore(database)
  const renewMs = (terms.seconds * 1000) / 3
  let renewedAt = Number.NEGATIVE_INFINITY
  let heartbeat: NodeJS.Timeout | undefined

  return {
    launch(launch) {
      const { turn, stream } = launch
      const controller = new AbortController()
      const lease = { turn_id: turn.id, attempt: turn.attempt, owner: terms.owner }
      const runner = { stream, controller, finished: Promise.resolve(), isResumed: turn.attempt > 1 }
      runners.set(turn.id, runner)
      heartbeat ??= setInterval(renewAll, renewMs)
      const stored = { storeEvents, onStored: () => onStored(turn.id) }
      const running = runCompanionTurn({ ...launch, lease, controller }, stored)
      runner.finished = running.then((left) => {
        // The same turn may have been resumed here, after its lease was lost.
        if (runners.get(turn.id) === runner) runners.delete(turn.id)
        if (runners.size === 0) {
          clearInterval(heartbeat)
          heartbeat = undefined
        }
        onLeft(turn, left)
      })
    },

    findStream(turnId) {
      const stream = runners.get(turnId)?.stream
      return stream && !stream.detached ? stream : null
    },

    count() {
      const resumed = [...runners.values()].filter(({ isResumed }) => isResumed).length
      return { all: runners.size, resumed }
    },

    async interrupt(turnId, interruption) {
      const runner = runners.get(turnId)
      runner?.controller.abort(interruption)
      await runner?.finished
    },

    interruptAll(interruption) {
      for (const { controller } of runners.values()) controller.abort(interruption)
    },

    async renew() {
      if (performance.now() - renewedAt > renewMs) await renewAll()
    },

    async idle() {
      while (runners.size > 0) await Promise.all([...runners.values()].map(({ finished }) => finished))
    },
  }

  /** Renews all leases at once, and finds out which turns are lost and which are to be stopped. */
  async function renewAll(): Promise<void> {
    const asked = [...runners]
    if (asked.length === 0) return
    const startedAt = performance.now()
    try {
      const held = await createTurnsRepo(database).renew(
        terms,
        asked.map(([id]) => id),
      )
      renewedAt = startedAt
      const byId = new Map(held.map((turn) => [turn.id, turn]))
      for (const [id, { controller }] of asked) {
        if (!byId.has(id)) controller.abort(new Interruption('lost'))
        else if (byId.get(id)?.stop_requested) controller.abort(new Interruption('stopped'))
      }
    } catch (error) {
      logger.warn({ err: error }, 'turn leases not renewed')
    }
  }
}
