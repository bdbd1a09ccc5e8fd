// Notes that the server does not have yet, each under a key of its own, so that tabs do not overwrite one another's.

import type { Capture } from '../../../lib/contract/space/capture.ts'

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
