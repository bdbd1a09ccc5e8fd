import type { CardLine, PendingChange } from '../../lib/contract/card.ts'
import type { Undone } from '../../lib/contract/history.ts'
import { type Api, ApiError, messageOf } from '../api.ts'
import type { App } from '../app.ts'

type Shown = Pick<CardLine, 'pending_change_id' | 'payload_sha256'>

/** What became of a decision on drafts that belong together: all of them, or none and why. */
export type ChangesetOutcome = { done: true; changes: PendingChange[] } | { done: false; message: string }

/** Approves the very payloads that were shown, all or nothing. Never rejects. */
export async function approveChangeset(
  api: Pick<Api, 'post'>,
  changesetId: string,
  shown: readonly Shown[],
): Promise<ChangesetOutcome> {
  const payloads = Object.fromEntries(
    shown.map(({ pending_change_id, payload_sha256 }) => [pending_change_id, payload_sha256]),
  )
  return await settle(api, `/api/changesets/${changesetId}/approve`, { payloads })
}

/** Closes every draft of it that waits, without a change. Never rejects. */
export async function rejectChangeset(
  api: Pick<Api, 'post'>,
  changesetId: string,
): Promise<ChangesetOutcome> {
  return await settle(api, `/api/changesets/${changesetId}/reject`, {})
}

/** Says that drafts were approved together, with the way back for all of them. */
export function offerUndoAll(app: App, changesetId: string, count: number): void {
  app.toast(`${count} approved.`, {
    action: { label: 'Undo all', run: () => undoChangeset(app, changesetId) },
  })
}

/** Takes back all that was applied of it, or nothing; whatever happens has been told. */
async function undoChangeset(app: App, changesetId: string): Promise<void> {
  try {
    const { items } = await app.api.post<{ items: Undone[] }>(`/api/changesets/${changesetId}/undo`, {})
    app.toast(`${items.length} undone.`)
  } catch (error) {
    app.toast(`Nothing was undone. ${messageOf(error)}`, { tone: 'problem' })
  }
}

async function settle(api: Pick<Api, 'post'>, path: string, body: object): Promise<ChangesetOutcome> {
  try {
    const { items } = await api.post<{ items: PendingChange[] }>(path, body)
    return { done: true, changes: items }
  } catch (error) {
    const message =
      error instanceof ApiError && error.code === 'changeset_changed'
        ? 'Other drafts wait in it by now, so nothing was applied. Look at it again.'
        : messageOf(error)
    return { done: false, message }
  }
}
