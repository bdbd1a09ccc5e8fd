import type { CardLine } from '../../lib/contract/card.ts'
import { type Choice, decide } from '../card/decide.ts'
import { batchText, runBatch } from './batch.ts'
import type { InboxContext } from './data.ts'
import { afterDecided } from './groups.ts'
import { memoryOf } from './memory.ts'
import { inboxHref } from './query.ts'

/** Decides several drafts in order, showing how far it is, and shows what is up next. */
export async function decideMany(
  { app, data }: InboxContext,
  lines: readonly CardLine[],
  choice: Choice,
): Promise<void> {
  const memory = memoryOf(app)
  if (memory.get().batch?.state === 'running') return
  const stop = new AbortController()
  memory.set({ stop, selected: new Set() })
  const batch = await runBatch(lines, {
    choice,
    decide: (line, what) => decide(app.api, line, what),
    onProgress: (progress) => memory.set({ batch: progress }),
    signal: stop.signal,
  })
  memory.set({ stop: null, batch: batch.state === 'done' ? null : batch })
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
