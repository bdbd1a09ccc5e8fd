import type { Entity } from '../../../lib/contract/entities/entities.ts'
import { type Api, ApiError } from '../../app/api/api.ts'
import { listWaiting, removeWaiting, type WaitingNote } from './waiting-notes.ts'

export type Sent = {
  stored: { note: WaitingNote; row: Entity }[]
  /** Those that wait on, with why the server refused them; `null`: it was not asked, or is to be asked again later. */
  left: { note: WaitingNote; problem: ApiError | null }[]
  /** Why no more were sent: not reachable, signed out, too busy. */
  stopped: ApiError | null
}

/** Sends what waits on this device, all callers together. A note leaves it once the server has it, and not before. */
export function createNoteSender(api: Pick<Api, 'put'>): () => Promise<Sent> {
  let running: Promise<Sent> | null = null
  return () => {
    running ??= send(api).finally(() => {
      running = null
    })
    return running
  }
}

async function send(api: Pick<Api, 'put'>): Promise<Sent> {
  const sent: Sent = { stored: [], left: [], stopped: null }
  for (const note of listWaiting()) {
    if (sent.stopped) {
      sent.left.push({ note, problem: null })
      continue
    }
    try {
      const row = await sendNote(api, note)
      removeWaiting(note.id)
      sent.stored.push({ note, row })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const again = error.status === 0 || error.status >= 500 || [401, 403, 408, 429].includes(error.status)
      if (again) sent.stopped = error
      sent.left.push({ note, problem: again ? null : error })
    }
  }
  return sent
}

export const sendNote = (api: Pick<Api, 'put'>, { id, space, capture }: WaitingNote): Promise<Entity> =>
  api.put<Entity>(`/api/spaces/${space.id}/captures/${id}`, capture)
