import type { CardLine } from '../../../lib/contract/changes/card.ts'
import { approveChangeset, type Choice, decide, offerUndoAll } from '../card/draft/decide.ts'
import { batchText, listStateOf, runBatch } from './batch.ts'
import { afterDecided, type Group, type InboxContext, inboxHref } from './inbox-data.ts'

/** Decides several drafts in order with their progress, then opens the next one. */
export async function decideMany(
  { app, data }: InboxContext,
  lines: readonly CardLine[],
  choice: Choice,
): Promise<void> {
  const state = listStateOf(app)
  if (state.get().batch?.state === 'running') return
  const stop = new AbortController()
  state.set({ stop, selected: new Set() })
  const batch = await runBatch(lines, {
    choice,
    decide: (line, what) => decide(app.api, line, what),
    onProgress: (progress) => state.set({ batch: progress }),
    signal: stop.signal,
  })
  state.set({ stop: null, batch: batch.state === 'done' ? null : batch })
  if (batch.state === 'done') app.toast(batchText(batch))

  const decided = new Set(lines.slice(0, batch.done).map(({ pending_change_id }) => pending_change_id))
  const isHere = location.pathname === '/inbox' || location.pathname.startsWith('/inbox/')
  const openId = data.card?.pending_change_id
  if (isHere && openId && decided.has(openId)) {
    await app.navigate(inboxHref(data.query, data.opened ? afterDecided(data.ids, decided) : null), {
      replace: true,
    })
  }
}

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
  const openId = data.card?.pending_change_id
  if (!location.pathname.startsWith('/inbox') || !openId || !decided.has(openId)) return
  await app.navigate(inboxHref(data.query, data.opened ? afterDecided(data.ids, decided) : null), {
    replace: true,
  })
}
