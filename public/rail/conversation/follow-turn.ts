// Reads the events of a turn to its end. The server runs a turn whoever listens, so a broken connection is resumed by
// reading the events after the last one that came.

import type { TurnEvent } from '../../../lib/contract/events/events.ts'
import { type Api, ApiError, messageOf } from '../../app/api/api.ts'
import { readEvents } from '../../app/api/live.ts'
import type { TurnList } from './turn-list.ts'

export type FollowOptions = {
  api: Api
  turns: TurnList
  onEvent: (key: string, event: TurnEvent, seq: number) => void
  signal: AbortSignal
}

/** About a minute and a half in all: the server may be restarting. */
const maxAttempts = 15
const retryDelayMs = (attempt: number) => Math.min(300 * 2 ** attempt, 8000)

/** `start` asks for the turn. Resolves when it has ended, or cannot be read; never rejects. */
export async function followTurn(
  { api, turns, onEvent, signal }: FollowOptions,
  key: string,
  start: () => Promise<Response>,
): Promise<void> {
  let after = 0
  let open = start
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const before = after
    try {
      if (await readTurn(await open())) return
      throw new ApiError(0, 'unreachable', 'Connection lost.')
    } catch (error) {
      if (signal.aborted) return
      if (!isTransient(error) || attempt === maxAttempts) return fail(error)
      turns.changeAnswer(key, (answer) => ({ ...answer, note: 'Connection lost. Reconnecting…' }))
      if (after > before) attempt = 0
      await delay(retryDelayMs(attempt))
      const id = turns.find(key)?.id
      if (id) open = () => api.fetch(`/api/turns/${id}/events?after=${after}`, { signal })
    }
  }

  /** Whether the turn's last event came. */
  async function readTurn(response: Response): Promise<boolean> {
    if (!response.body) return false
    for await (const { id, type, data } of readEvents(response.body)) {
      after = Number(id)
      const event = { type, data: JSON.parse(data) } as TurnEvent
      onEvent(key, event, after)
      if (event.type === 'done' || event.type === 'error') return true
    }
    return false
  }

  function fail(error: unknown): void {
    const code = error instanceof ApiError ? error.code : 'unreachable'
    const problem = { code, message: messageOf(error), retryable: true }
    turns.changeAnswer(key, (answer) => ({ ...answer, state: 'failed', problem, note: null }))
  }
}

const isTransient = (error: unknown) => !(error instanceof ApiError) || [0, 503].includes(error.status)

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
