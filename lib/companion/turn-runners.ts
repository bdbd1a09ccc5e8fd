// The turns that run on this server: begun, kept alive by a sign of life for all of them, interrupted.

import type { Database } from '../db/pool.ts'
import { createTurnLeasesRepo } from '../db/repos/turn_leases.ts'
import type { LeaseTerms, TurnRow } from '../db/repos/turns.ts'
import type { Logger } from '../logger.ts'
import { Interruption } from './interruption.ts'
import { type RunningTurn, runCompanionTurn } from './run-turn.ts'
import type { TurnStream } from './turn-stream.ts'

export type Launch = Omit<RunningTurn, 'lease' | 'controller' | 'onStored' | 'onLongHistory'>

export type TurnRunners = {
  /** Runs a turn that this server holds the lease of. */
  launch(launch: Launch): void
  findStream(turnId: string): TurnStream | null
  /** Breaks a turn off, if it runs here; resolves when it has been stored. */
  interrupt(turnId: string, interruption: Interruption): Promise<void>
  interruptAll(interruption: Interruption): void
  /** A sign of life for all turns here, besides those that come by themselves. Never rejects. */
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
  /**
   * Called when a turn has ended here, or has been left to another server; `isLong` says that its conversation is ready
   * for a running summary. Must not throw.
   */
  onLeft: (turn: TurnRow, now: { isLong: boolean }) => void
}

type Runner = { stream: TurnStream; controller: AbortController; finished: Promise<void> }

export function createTurnRunners({
  database,
  logger,
  terms,
  onStored,
  onLeft,
}: TurnRunnersDeps): TurnRunners {
  const runners = new Map<string, Runner>()
  let heartbeat: NodeJS.Timeout | undefined

  return {
    launch(launch) {
      const { turn, stream } = launch
      const controller = new AbortController()
      const lease = { turn_id: turn.id, attempt: turn.attempt, owner: terms.owner }
      let isLong = false
      const running = {
        ...launch,
        lease,
        controller,
        onStored: () => onStored(turn.id),
        onLongHistory: () => {
          isLong = true
        },
      }
      const runner = { stream, controller, finished: Promise.resolve() }
      runners.set(turn.id, runner)
      heartbeat ??= setInterval(renew, (terms.seconds * 1000) / 3)
      runner.finished = runCompanionTurn(running).finally(() => {
        // The same turn may have been taken up here again, after its lease was lost.
        if (runners.get(turn.id) === runner) runners.delete(turn.id)
        if (runners.size === 0) {
          clearInterval(heartbeat)
          heartbeat = undefined
        }
        onLeft(turn, { isLong })
      })
    },

    findStream(turnId) {
      const stream = runners.get(turnId)?.stream
      return stream && !stream.detached ? stream : null
    },

    async interrupt(turnId, interruption) {
      const runner = runners.get(turnId)
      runner?.controller.abort(interruption)
      await runner?.finished
    },

    interruptAll(interruption) {
      for (const { controller } of runners.values()) controller.abort(interruption)
    },

    renew,

    async idle() {
      while (runners.size > 0) await Promise.all([...runners.values()].map(({ finished }) => finished))
    },
  }

  /** One sign of life for all turns here. It also tells which of them are lost, and which somebody wants stopped. */
  async function renew(): Promise<void> {
    const asked = [...runners]
    if (asked.length === 0) return
    try {
      const held = await createTurnLeasesRepo(database).renew(
        terms,
        asked.map(([id]) => id),
      )
      const byId = new Map(held.map((turn) => [turn.id, turn]))
      for (const [id, { controller }] of asked) {
        if (!byId.has(id)) controller.abort(new Interruption('lost'))
        else if (byId.get(id)?.stop_requested) controller.abort(new Interruption('stopped'))
      }
    } catch (error) {
      logger.warn({ err: error }, 'the leases of turns could not be renewed')
    }
  }
}
