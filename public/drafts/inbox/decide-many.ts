import type { CardLine } from '../../../lib/contract/changes/card.ts'
import { type Choice, decide } from '../card/draft/decide.ts'
import { batchText, runBatch } from './batch.ts'
import { afterDecided } from './groups.ts'
import type { InboxContext } from './inbox-data.ts'
import { inboxHref } from './inbox-query.ts'
import { listStateOf } from './list-state.ts'

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
  const shown = data.card?.pending_change_id
  if (isHere && shown && decided.has(shown)) {
    await app.navigate(inboxHref(data.query, data.opened ? afterDecided(data.ids, decided) : null), {
      replace: true,
    })
  }
}
