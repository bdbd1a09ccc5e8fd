import { inBrowser } from '#platform'
import type { Card, CardLine } from '../../../../lib/contract/changes/card.ts'
import type { Side } from '../../../../lib/contract/changes/decision.ts'
import type { DecidedChange, PendingChangeWithCard } from '../../../../lib/contract/changes/pending-change.ts'
import type { Undone } from '../../../../lib/contract/entities.ts'
import { type Api, ApiError, messageOf } from '../../../app/api/api.ts'
import type { App } from '../../../app/app.ts'
import type { CardOptions } from './card-state.ts'
import type { Parts } from './parts.ts'

export type Choice =
  | ({
      approve: true
      /** Other values than the draft's, for the fields named. */
      edited?: Record<string, unknown>
      /** The sides of a merge's conflicts. */
      choices?: Record<string, Side>
    } & Parts)
  /** `keep`: only the rest is rejected. */
  | { approve: false; reason: string; keep?: Parts }

/** `moved`: the draft has changed since it was shown, and has to be loaded again. */
export type Outcome = { done: true; change: DecidedChange } | { done: false; message: string; moved: boolean }

type ReviewedPayload = Pick<CardLine, 'pending_change_id' | 'payload_sha256'>

/**
 * Sends a decision on the payload that was shown. Never rejects: a refusal is an outcome with a message.
 */
export async function decide(
  api: Pick<Api, 'post'>,
  { pending_change_id, payload_sha256 }: ReviewedPayload,
  choice: Choice,
): Promise<Outcome> {
  const { approve, ...rest } = choice
  const { reason, ...others } = 'reason' in rest ? rest : { reason: '', ...rest }
  const body = { payload_sha256, ...others, ...(reason ? { reason } : {}) }
  const path = pathOf(pending_change_id, approve ? 'approve' : 'reject')
  return await attempt(() => api.post<DecidedChange>(path, body))
}

/** `review-again` merges a stale draft with the changes since; `as-new-page` is for a draft whose target was deleted. */
export type Redraft = 'review-again' | 'as-new-page'

/** Replaces a draft that cannot be applied by a new one. Never rejects. */
export async function redraft(
  api: Pick<Api, 'post'>,
  { pending_change_id }: Pick<Card, 'pending_change_id'>,
  how: Redraft,
): Promise<Outcome> {
  return await attempt(() => api.post<DecidedChange>(pathOf(pending_change_id, how), {}))
}

const pathOf = (id: string, what: string) => `/api/pending-changes/${id}/${what}`

async function attempt(send: () => Promise<DecidedChange>): Promise<Outcome> {
  try {
    return { done: true, change: await send() }
  } catch (error) {
    const moved = error instanceof ApiError && (error.status === 409 || error.status === 404)
    return { done: false, message: explain(error), moved }
  }
}

function explain(error: unknown): string {
  return (error instanceof ApiError && refusals[error.code]) || messageOf(error)
}

const refusals: Record<string, string> = {
  payload_mismatch:
    'This is not the draft that you reviewed, so nothing was changed. Review it, then decide again.',
  stale_version: 'The target has changed since this was drafted, so nothing was applied.',
  already_decided: 'This draft was already decided elsewhere.',
  obsolete: 'The target of this draft was deleted, so nothing was changed.',
  missing_reference: 'This draft depends on another draft. Approve that one first.',
  not_found: 'Draft not found.',
}

/** The outcome of a decision on a changeset: all of its drafts, or none and why. */
export type ChangesetOutcome =
  | { done: true; changes: PendingChangeWithCard[] }
  | { done: false; message: string }

/** Approves the payloads that were shown, all or nothing. `partial`: others of it may be pending. Never rejects. */
export async function approveChangeset(
  api: Pick<Api, 'post'>,
  changesetId: string,
  drafts: readonly ReviewedPayload[],
  options: { partial?: boolean } = {},
): Promise<ChangesetOutcome> {
  const payloads = Object.fromEntries(
    drafts.map(({ pending_change_id, payload_sha256 }) => [pending_change_id, payload_sha256]),
  )
  return await settle(api, `/api/changesets/${changesetId}/approve`, { payloads, ...options })
}

/** Rejects every pending draft of it. Its promise never rejects. */
export async function rejectChangeset(
  api: Pick<Api, 'post'>,
  changesetId: string,
): Promise<ChangesetOutcome> {
  return await settle(api, `/api/changesets/${changesetId}/reject`, {})
}

/** Shows a toast that undoes what was approved; the drafts of each changeset are together. */
export function offerUndoAll(app: App, changesets: readonly (readonly ApprovedDraft[])[]): void {
  const count = changesets.flat().length
  app.toast(`${count} approved.`, { action: { label: 'Undo all', run: () => undoAll(app, changesets) } })
}

type ApprovedDraft = Pick<CardLine, 'pending_change_id' | 'changeset_id'>

/** Undoes the last changeset first, each whole or not at all, and shows a toast with the outcome. */
async function undoAll(app: App, changesets: readonly (readonly ApprovedDraft[])[]): Promise<void> {
  let count = 0
  for (const approved of changesets.toReversed()) {
    const drafts = approved.map(({ pending_change_id }) => pending_change_id)
    try {
      await app.api.post<{ items: Undone[] }>(`/api/changesets/${approved[0]?.changeset_id}/undo`, { drafts })
      count += drafts.length
    } catch (error) {
      const what = count === 0 ? 'Nothing was undone.' : `${count} undone, the rest was not.`
      app.toast(`${what} ${messageOf(error)}`, { tone: 'problem' })
      return
    }
  }
  app.toast(`${count} undone.`)
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

/** Reports once to the server that a pending draft is visible: the time to decide is measured from then on. */
export function reportShown(element: HTMLElement, card: Card, { app, signal }: CardOptions): void {
  if (!inBrowser || card.status !== 'pending') return
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    // Only a measurement is lost.
    app.api.post(`/api/pending-changes/${card.pending_change_id}/shown`).catch(() => {})
  })
  observer.observe(element)
  signal.addEventListener('abort', () => observer.disconnect())
}
