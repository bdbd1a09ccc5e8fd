// Taking a change back, from wherever it is offered: a toast, a card, the history. When it was changed again since, both
// sides are shown and the owner chooses.

import type { UndoConflict, Undone } from '../../lib/contract/history.ts'
import { ApiError, messageOf } from '../api.ts'
import type { App } from '../app.ts'

export type UndoRequest = {
  /** `/api/audit/7/undo` or `/api/pending-changes/…/undo`. */
  path: string
  /** The first of a run of saves that are taken back as one. */
  since?: number
}

/** Resolves to whether it was taken back; whatever happens has been told. */
export async function undoChange(app: App, { path, since }: UndoRequest): Promise<boolean> {
  const body = since === undefined ? {} : { since }
  try {
    tell(app, await app.api.post<Undone>(path, body))
    return true
  } catch (error) {
    const conflict = error instanceof ApiError && error.code === 'undo_conflict' ? error.details : null
    if (!isConflict(conflict)) {
      app.toast(`It was not undone. ${messageOf(error)}`, { tone: 'problem' })
      return false
    }
    const { settleUndo } = await import('./settle-undo.ts')
    const fields = await settleUndo(conflict, app.now())
    if (!fields) return false
    return await settle(app, path, { ...body, settle: { version: conflict.version, fields } })
  }
}

async function settle(app: App, path: string, body: Record<string, unknown>): Promise<boolean> {
  try {
    tell(app, await app.api.post<Undone>(path, body))
    return true
  } catch (error) {
    const again = error instanceof ApiError && error.code === 'undo_conflict'
    const why = again ? 'It was changed once more meanwhile. Look at it again.' : messageOf(error)
    app.toast(`It was not undone. ${why}`, { tone: 'problem' })
    return false
  }
}

function tell(app: App, { seq, did, row }: Undone): void {
  const name = String(row.title ?? row.name ?? '')
  const words =
    did === 'delete'
      ? `“${name}” is in the trash.`
      : did === 'restore'
        ? `“${name}” is back.`
        : did === null
          ? `“${name}” stays as it is.`
          : `Undone: “${name}” is as it was before.`
  const run = async () => {
    await undoChange(app, { path: `/api/audit/${seq}/undo` })
  }
  app.toast(words, seq === null ? {} : { action: { label: 'Redo', run } })
}

const isConflict = (details: object | null): details is UndoConflict =>
  details !== null && 'fields' in details && Array.isArray(details.fields) && 'version' in details
