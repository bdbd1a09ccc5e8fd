import type { TurnEvent } from '../../contract/events/events.ts'
import type { Telemetry } from './telemetry.ts'

/** What of a running turn's stream is followed. */
type Followed = {
  turnId: string
  end: Promise<'ended' | 'detached'>
  subscribe(reader: (event: TurnEvent) => void): () => void
}

/** Starts a turn by `start` and follows it to its end. Must not throw. */
export type WatchTurn = (stream: Followed, start: () => void) => void

export function createWatchTurn({ metrics, trace }: Telemetry): WatchTurn {
  const { turnsStarted, turns, firstText, toolCalls } = metrics

  return (stream, start) => {
    const endTurn = turns.startTimer()
    const endWait = firstText.startTimer()
    let waits = true
    let state = 'left'
    turnsStarted.inc()
    const unsubscribe = stream.subscribe((event) => {
      if (event.type === 'delta' && waits) {
        waits = false
        endWait()
      }
      if (event.type === 'tool' && event.data.status !== 'running')
        toolCalls.inc({ status: event.data.status })
      state = stateAfter(event) ?? state
    })
    void trace('turn', { 'void.turn_id': stream.turnId }, async () => {
      start()
      await stream.end
      unsubscribe()
      endTurn({ state })
    })
  }
}

/** How a turn ended, if this was its last event. */
function stateAfter(event: TurnEvent): 'done' | 'stopped' | 'failed' | null {
  if (event.type === 'error') return 'failed'
  if (event.type !== 'done') return null
  return event.data.stop_reason === 'aborted' ? 'stopped' : 'done'
}
