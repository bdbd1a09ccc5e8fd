import { approveChangeset, offerUndoAll } from '../card/draft/changeset.ts'
import { decideMany } from './decide-many.ts'
import { afterDecided, type Group } from './groups.ts'
import type { InboxContext } from './inbox-data.ts'
import { inboxHref } from './inbox-query.ts'

/** Approves a changeset all or nothing where every draft of it can be approved; else those that can be, in order. */
export async function approveGroup(context: InboxContext, group: Group): Promise<void> {
  const { app, data } = context
  if (group.plain.length < group.lines.length)
    return await decideMany(context, group.plain, { approve: true })

  const outcome = await approveChangeset(app.api, group.changesetId, group.plain)
  if (!outcome.done) {
    app.toast(outcome.message, { tone: 'problem' })
    return
  }
  offerUndoAll(app, group.changesetId, outcome.changes.length)
  const decided = new Set(group.plain.map(({ pending_change_id }) => pending_change_id))
  const shown = data.card?.pending_change_id
  if (!location.pathname.startsWith('/inbox') || !shown || !decided.has(shown)) return
  await app.navigate(inboxHref(data.query, data.opened ? afterDecided(data.ids, decided) : null), {
    replace: true,
  })
}
