// Undoes a change, from wherever that is offered: a toast, a card, the history. When there are newer changes, both
// versions are shown and the owner chooses.

import type { UndoConflict, Undone } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { ApiError, messageOf } from '../api/api.ts'
import type { App } from '../app.ts'

export type UndoRequest = {
  /** `/api/audit/7/undo` or `/api/pending-changes/…/undo`. */
  path: string
  /** The first of a run of saves that are undone as one. */
  since?: number
}

/** Resolves to whether it was undone; the result is shown as a toast. */
export async function undoChange(app: App, { path, since }: UndoRequest): Promise<boolean> {
  const body = since === undefined ? {} : { since }
  try {
    toastUndone(app, await app.api.post<Undone>(path, body))
    return true
  } catch (error) {
    const conflict = error instanceof ApiError && error.code === 'undo_conflict' ? error.details : null
    if (!isConflict(conflict)) {
      app.toast(`Could not undo. ${messageOf(error)}`, { tone: 'problem' })
      return false
    }
    const { resolveUndo } = await import('./resolve-undo.ts')
    const fields = await resolveUndo(conflict, app.now())
    if (!fields) return false
    return await undoResolved(app, path, { ...body, settle: { version: conflict.version, fields } })
  }
}

async function undoResolved(app: App, path: string, body: Record<string, unknown>): Promise<boolean> {
  try {
    toastUndone(app, await app.api.post<Undone>(path, body))
    return true
  } catch (error) {
    const again = error instanceof ApiError && error.code === 'undo_conflict'
    const why = again
      ? 'It was changed again in the meantime. Check the new version, then try again.'
      : messageOf(error)
    app.toast(`Could not undo. ${why}`, { tone: 'problem' })
    return false
  }
}

function toastUndone(app: App, { seq, did, row }: Undone): void {
  const name = String(row.title ?? row.name ?? '')
  const message =
    did === 'delete'
      ? `Moved ${quoteShown(name)} to trash.`
      : did === 'restore'
        ? `Restored ${quoteShown(name)}.`
        : did === null
          ? `${quoteShown(name)} was left unchanged.`
          : `Undid the change to ${quoteShown(name)}.`
  const run = async () => {
    await undoChange(app, { path: `/api/audit/${seq}/undo` })
  }
  app.toast(message, seq === null ? {} : { action: { label: 'Redo', run } })
}

const isConflict = (details: object | null): details is UndoConflict =>
  details !== null && 'fields' in details && Array.isArray(details.fields) && 'version' in details
