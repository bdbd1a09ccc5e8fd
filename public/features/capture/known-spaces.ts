// The Spaces that a note can go to, stored on this device for when the server cannot be reached.

import type { Space } from '../../../lib/contract/entities/entities.ts'

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
export function forgetKnownSpaces(): void {
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
