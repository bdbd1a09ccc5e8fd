// The turns that run on this server: started, within the slots that there are, their leases renewed in one statement,
// interrupted.

import { notFound } from '../../core/errors.ts'
import type { Logger } from '../../core/logger.ts'
import { createGathering } from '../../db/gather.ts'
import type { Database } from '../../db/pool.ts'
import { createTurnStepsRepo } from '../../db/repos/turn_steps.ts'
import { createTurnsRepo, type LeaseTerms, type TurnRow } from '../../db/repos/turns.ts'
import type { TurnSignals, TurnStream } from '../stream/turn-stream.ts'
import { runCompanionTurn, type TurnLeft } from './run-turn.ts'
import { Interruption, type RunningTurn, type StoreEvents } from './running-turn.ts'

export type Launch = Omit<RunningTurn, 'lease' | 'controller'>

type TurnRunners = {
  /** Runs a turn that this server holds the lease of. */
  launch(launch: Launch): void
  findStream(turnId: string): TurnStream | null
  /** The ids of the turns that run here. */
  ids(): string[]
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

type TurnRunnersDeps = {
  database: Database
  logger: Logger
  terms: LeaseTerms
  /** Called when more of a turn has been stored. */
  onStored: (turnId: string) => void
  /** Called when a turn has ended here, or has been left to another server. Must not throw. */
  onLeft: (turn: TurnRow, left: TurnLeft) => void
}

type Runner = {
  attempt: number
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
      const { attempt } = turn
      const runner = { attempt, stream, controller, finished: Promise.resolve(), isResumed: attempt > 1 }
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

    ids: () => [...runners.keys()],

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
      for (const [id, { attempt, controller }] of asked) {
        const turn = byId.get(id)
        // A later attempt at it may be this server's, too.
        if (turn?.attempt !== attempt) controller.abort(new Interruption('lost'))
        else if (turn.stop_requested) controller.abort(new Interruption('stopped'))
      }
    } catch (error) {
      logger.warn({ err: error }, 'turn leases not renewed')
    }
  }
}

// How many turns run on this server at once. A message beyond that waits in the order it came, in whatever conversation;
// what other servers left unfinished takes only a part of the slots, so that a new message does not wait behind it.

export type TurnSlots = {
  /** Whether a new turn has to wait: all slots are taken, or others wait for one already. */
  isFull(): boolean
  /** Slots free for turns that waited. */
  free(): number
  /** Slots free for turns that another server began. */
  freeForResumed(): number
  /** Notes that turns wait for a slot, or that none does any more. */
  setWaiting(waiting: boolean): void
  isWaiting(): boolean
}

/** One slot of so many may hold a turn that another server began; at least two. */
const resumedShare = 16

export function createTurnSlots(
  maxTurns: number,
  running: () => { all: number; resumed: number },
): TurnSlots {
  const maxResumed = Math.min(maxTurns, Math.max(2, Math.floor(maxTurns / resumedShare)))
  let waiting = false
  const free = () => Math.max(0, maxTurns - running().all)

  return {
    isFull: () => waiting || free() === 0,
    free,
    freeForResumed: () => Math.min(free(), Math.max(0, maxResumed - running().resumed)),
    setWaiting: (now) => {
      waiting = now
    },
    isWaiting: () => waiting,
  }
}

// Stopping a turn wherever it runs: the request is stored, so that it survives a restart, the other servers are
// notified, and the call waits for the turn to end, because whoever stops a turn wants to see it stopped.

type StopDeps = {
  database: Database
  signals: TurnSignals
  runners: TurnRunners
  /** Aborted when this server goes down. */
  closing: AbortSignal
}

/** How long to wait for a turn that runs on another server, and how often to check. */
const timeoutMs = 5000
const pollMs = 250

/** The turn after that; one that has ended or waits stays as it is. Throws a 404 `AppError`. */
export async function stopTurn(
  { database, signals, runners, closing }: StopDeps,
  turnId: string,
): Promise<TurnRow> {
  const turns = createTurnsRepo(database)
  if (await turns.requestStop(turnId)) {
    if (!runners.findStream(turnId)) signals.notifyStop(turnId)
    await runners.interrupt(turnId, new Interruption('stopped'))
    await whenEnded()
  }
  const turn = await turns.find(turnId)
  if (!turn) throw notFound('turn', turnId)
  return turn

  async function whenEnded(): Promise<void> {
    const timeout = AbortSignal.any([AbortSignal.timeout(timeoutMs), closing])
    while (!timeout.aborted && (await turns.find(turnId))?.status === 'running') {
      await signals.whenChanged(turnId, pollMs, timeout)
    }
  }
}

/** For how long the events of turns are gathered, and of how many at most, to be stored in one statement. */
const gathered = { forMs: 25, most: 500 }

/** Stores the events of all turns of this server. */
export function createEventStore(database: Database): StoreEvents {
  return createGathering(gathered, createTurnStepsRepo(database).storeEvents).add
}
