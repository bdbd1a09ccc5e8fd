// Stopping a turn wherever it runs: the request is stored, so that it survives a restart, the other servers are
// notified, and the call waits for the turn to end, because whoever stops a turn wants to see it stopped.

import { notFound } from '../../core/errors.ts'
import type { Database } from '../../db/pool.ts'
import { createTurnsRepo, type TurnRow } from '../../db/repos/turns.ts'
import type { TurnSignals } from '../stream/turn-signals.ts'
import { Interruption } from './running-turn.ts'
import type { TurnRunners } from './turn-runners.ts'

export type StopDeps = {
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
