// Notes that the server does not have yet, each under a key of its own, so that tabs do not overwrite one another's.

import type { Entity, Space } from '../../../lib/contract/entities.ts'
import type { Capture } from '../../../lib/contract/space/notes.ts'
import { type Api, ApiError } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { leaveFor } from '../../ui/address.ts'

export type WaitingNote = {
  /** A UUID, which becomes the id of what the note becomes: sent twice, it is made once. */
  id: string
  space: { id: string; name: string }
  capture: Capture
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const prefix = 'void:note:'

/** The oldest first. Empty where the browser stores nothing. */
export function listWaiting(storage: Store = localStorage): WaitingNote[] {
  try {
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
    return keys
      .filter((key) => key.startsWith(prefix))
      .sort()
      .flatMap((key) => parseNote(storage.getItem(key)))
  } catch {
    return []
  }
}

/** Throws where the browser has no room for it. */
export const storeWaiting = (note: WaitingNote, storage: Store = localStorage): void =>
  storage.setItem(prefix + note.id, JSON.stringify(note))

export const removeWaiting = (id: string, storage: Store = localStorage): void => {
  try {
    storage.removeItem(prefix + id)
  } catch {
    // Nothing is stored.
  }
}

export const waitingText = (count: number): string =>
  count === 1 ? '1 note waiting' : `${count} notes waiting`

function parseNote(text: string | null): WaitingNote[] {
  try {
    const note = JSON.parse(text ?? 'null')
    return typeof note?.id === 'string' && note.space && note.capture ? [note] : []
  } catch {
    return []
  }
}

export type Sent = {
  saved: { note: WaitingNote; row: Entity }[]
  /** Those that wait on, with why the server refused them; `null`: it was not asked, or is to be asked again later. */
  pending: { note: WaitingNote; problem: ApiError | null }[]
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
  const sent: Sent = { saved: [], pending: [], stopped: null }
  for (const note of listWaiting()) {
    if (sent.stopped) {
      sent.pending.push({ note, problem: null })
      continue
    }
    try {
      const row = await sendNote(api, note)
      removeWaiting(note.id)
      sent.saved.push({ note, row })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const again = error.status === 0 || error.status >= 500 || [401, 403, 408, 429].includes(error.status)
      if (again) sent.stopped = error
      sent.pending.push({ note, problem: again ? null : error })
    }
  }
  return sent
}

export const sendNote = (api: Pick<Api, 'put'>, { id, space, capture }: WaitingNote): Promise<Entity> =>
  api.put<Entity>(`/api/spaces/${space.id}/captures/${id}`, capture)

// The Spaces that a note can go to, stored on this device for when the server cannot be reached.

export type KnownSpace = Pick<Space, 'id' | 'name' | 'slug'>

const spacesKey = 'void:note-spaces'

const chosenKey = 'void:note-space'

export function readKnownSpaces(): { spaces: KnownSpace[]; chosen: string | null } {
  try {
    const spaces: unknown = JSON.parse(localStorage.getItem(spacesKey) ?? '[]')
    return { spaces: Array.isArray(spaces) ? spaces : [], chosen: localStorage.getItem(chosenKey) }
  } catch {
    return { spaces: [], chosen: null }
  }
}

export function storeKnownSpaces(spaces: readonly KnownSpace[]): void {
  write(spacesKey, JSON.stringify(spaces.map(({ id, name, slug }) => ({ id, name, slug }))))
}

export const storeChosenSpace = (id: string): void => write(chosenKey, id)

/** At sign-out: names of Spaces do not stay behind. */
function forgetKnownSpaces(): void {
  try {
    for (const key of [spacesKey, chosenKey]) localStorage.removeItem(key)
  } catch {
    // Nothing is stored.
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // No room: they are asked for each time.
  }
}

/** Sends the notes that wait on this device and removes what the page for notes stored; false where some stay behind. */
export async function beforeSignOut(app: App): Promise<boolean> {
  if (listWaiting().length > 0) {
    const { pending } = await createNoteSender(app.api)()
    if (pending.length > 0) {
      app.toast(`Not signed out: ${waitingText(pending.length)} on this device.`, {
        tone: 'problem',
        action: { label: 'Show', run: () => leaveFor('/capture') },
      })
      return false
    }
  }
  forgetKnownSpaces()
  return true
}
