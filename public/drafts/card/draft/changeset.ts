import type { CardLine } from '../../../../lib/contract/changes/card.ts'
import type { PendingChangeWithCard } from '../../../../lib/contract/changes/pending-change.ts'
import type { Undone } from '../../../../lib/contract/entities/history.ts'
import { type Api, ApiError, messageOf } from '../../../app/api/api.ts'
import type { App } from '../../../app/app.ts'

type Shown = Pick<CardLine, 'pending_change_id' | 'payload_sha256'>

/** The outcome of a decision on a changeset: all of its drafts, or none and why. */
export type ChangesetOutcome =
  | { done: true; changes: PendingChangeWithCard[] }
  | { done: false; message: string }

/** Approves the payloads that were shown, all or nothing. Never rejects. */
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

/** Rejects every pending draft of it. Its promise never rejects. */
export async function rejectChangeset(
  api: Pick<Api, 'post'>,
  changesetId: string,
): Promise<ChangesetOutcome> {
  return await settle(api, `/api/changesets/${changesetId}/reject`, {})
}

/** Shows a toast that undoes all of them. */
export function offerUndoAll(app: App, changesetId: string, count: number): void {
  app.toast(`${count} approved.`, {
    action: { label: 'Undo all', run: () => undoChangeset(app, changesetId) },
  })
}

/** Undoes all that was applied of it, or nothing, and shows a toast with the outcome. */
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
    const { items } = await api.post<{ items: PendingChangeWithCard[] }>(path, body)
    return { done: true, changes: items }
  } catch (error) {
    const message =
      error instanceof ApiError && error.code === 'changeset_changed'
        ? 'The drafts of this changeset have changed, so nothing was applied. Review them, then try again.'
        : messageOf(error)
    return { done: false, message }
  }
}
