// What a routine may draft: a few things a run and a day, nothing that waits for the owner already, and nothing that the
// owner has rejected, however it is written this time.

import { effectOf, findRejectedAlike } from '../../changes/propose/effect.ts'
import type { AdmitDraft, DraftToAdmit } from '../../changes/propose/proposal.ts'
import { makesNew } from '../../contract/changes/decision.ts'
import { conflict, forbidden } from '../../core/errors.ts'
import { type Calendar, today } from '../../core/schedule/calendar.ts'
import { startOfDay } from '../../core/schedule/instants.ts'
import type { Queryable } from '../../db/pool.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import { createRoutineDraftsRepo } from '../../db/repos/routine_runs.ts'

/** Things that one run may draft, and all routines together in a day. */
export const maxDraftsPerRun = 20
const maxDraftsPerDay = 40

/** Drafts that wait to make something of a kind, the latest of which are compared. */
const maxCompared = 200

export const createAdmitDraft =
  (turnId: string, calendar: Calendar): AdmitDraft =>
  async (tx, draft) => {
    const drafts = createRoutineDraftsRepo(tx)
    await drafts.lock()
    const since = startOfDay(today(calendar), calendar.zone())
    const { ofRun, ofDay } = await drafts.count(turnId, { since, without: draft.entity_id })
    if (ofRun >= maxDraftsPerRun)
      throw conflict(
        'too_many_drafts',
        `A routine may draft ${maxDraftsPerRun} things in a run. Say what is left.`,
      )
    if (ofDay >= maxDraftsPerDay)
      throw conflict(
        'too_many_drafts',
        `Routines may draft ${maxDraftsPerDay} things a day. Say what is left.`,
      )
    if (await isUndecided(tx, turnId, draft))
      throw forbidden('A draft for this is waiting for the owner already. Leave it to them.')
    if (await findRejectedAlike(tx, draft))
      throw forbidden('The owner has rejected this same change. Do not propose it again.')
  }

async function isUndecided(tx: Queryable, turnId: string, { kind, row: _, ...draft }: DraftToAdmit) {
  const lists = createPendingChangeListsRepo(tx)
  if (await lists.findWaitingElsewhere(draft, turnId)) return true
  if (!makesNew(draft.action)) return false
  const effect = effectOf(kind, draft, null)
  const waiting = await lists.listWaitingCreates(draft, { turnId, limit: maxCompared })
  return waiting.some((one) => effectOf(kind, one, null) === effect)
}
