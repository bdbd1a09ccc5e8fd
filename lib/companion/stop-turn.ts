// Stopping a turn wherever it runs: the wish is stored, so that it outlives every server, told to the others, and waited
// for, because whoever stops a turn wants to see it stopped.

import type { Database } from '../db/pool.ts'
import { createTurnsRepo, type TurnRow } from '../db/repos/turns.ts'
import { notFound } from '../errors.ts'
import { Interruption } from './interruption.ts'
import type { TurnRunners } from './turn-runners.ts'
import type { TurnSignals } from './turn-signals.ts'

export type StopDeps = {
  database: Database
  signals: TurnSignals
  runners: TurnRunners
  /** Aborted when this server goes down. */
  closing: AbortSignal
}

/** How long to wait for a turn that runs on another server, and how often to look. */
const patienceMs = 5000
const lookMs = 250

/** The turn as it then stands; one that has ended or waits stays as it is. Throws a 404 `AppError`. */
export async function stopTurn(
  { database, signals, runners, closing }: StopDeps,
  turnId: string,
): Promise<TurnRow> {
  const turns = createTurnsRepo(database)
  if (await turns.requestStop(turnId)) {
    if (!runners.findStream(turnId)) signals.tellStop(turnId)
    await runners.interrupt(turnId, new Interruption('stopped'))
    await whenEnded()
  }
  const turn = await turns.find(turnId)
  if (!turn) throw notFound('turn', turnId)
  return turn

  async function whenEnded(): Promise<void> {
    const patience = AbortSignal.any([AbortSignal.timeout(patienceMs), closing])
    while (!patience.aborted && (await turns.find(turnId))?.status === 'running') {
      await signals.whenChanged(turnId, lookMs, patience)
    }
  }
}
