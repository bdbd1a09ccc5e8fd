// A save carries an id. When its answer is lost, the same id goes with the next try, and the server's refusal of the old
// version then says whether that save was applied: one's own save is no change from elsewhere.

import { ApiError } from './api.ts'

/** A save that the server has: the version that it made, and the fields that it changed. */
export type AppliedSave = { version: number; fields: Record<string, unknown> }

/** A refused save: `current` is the entity as it is; `saved` is set where the save with this id was applied before. */
export type Refusal<Row> = { current: Row; saved: AppliedSave | null }

/** What the server says to a save on top of an old version; null for any other failure. */
export function refusalOf<Row extends { version: number }>(error: unknown): Refusal<Row> | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null
  const { current, saved } = error.details
  if (!isObject(current) || typeof current.version !== 'number') return null
  return { current: current as Row, saved: isSave(saved) ? saved : null }
}

/** Whether the save may have been applied although it failed. */
export const isAnswerLost = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export function createSaveId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const isSave = (value: unknown): value is AppliedSave =>
  isObject(value) && typeof value.version === 'number' && isObject(value.fields)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
