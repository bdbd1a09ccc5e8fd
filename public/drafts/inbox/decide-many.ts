import type { CardLine } from '../../../lib/contract/changes/card.ts'
import { pageUrl } from '../../ui/address.ts'
import { approveChangeset, decide, offerUndoAll } from '../card/draft/decide.ts'
import { batchText, listStateOf, runBatch, unitsOf } from './batch.ts'
import { afterDecided, type InboxContext, inboxHref } from './inbox-data.ts'

/** An approval, or a rejection with one reason for all. */
type Choice = { approve: true } | { approve: false; reason: string }

/**
 * Decides several drafts with their progress, then opens the next one. Those of one changeset are approved in one
 * transaction: all or none.
 */
export async function decideMany(
  { app, data }: InboxContext,
  lines: readonly CardLine[],
  choice: Choice,
): Promise<void> {
  const state = listStateOf(app)
  if (state.get().batch?.state === 'running') return
  const stop = new AbortController()
  state.set({ stop, selected: new Set() })
  const decided: CardLine[] = []
  const batch = await runBatch(choice.approve ? unitsOf(lines) : lines.map((line) => [line]), {
    verb: choice.approve ? 'Approving' : 'Rejecting',
    async decide(unit) {
      const first = unit[0]!
      const outcome = choice.approve
        ? await approveChangeset(app.api, first.changeset_id, unit, { partial: true })
        : await decide(app.api, first, choice)
      if (outcome.done) decided.push(...unit)
      return outcome
    },
    onProgress: (progress) => state.set({ batch: progress }),
    signal: stop.signal,
  })
  const isWhole = batch.state === 'done' && batch.problems.length === 0
  state.set({ stop: null, batch: isWhole ? null : batch })
  if (choice.approve && decided.length > 0) offerUndoAll(app, unitsOf(decided))
  else if (isWhole) app.toast(batchText(batch))
  await openNext(app, data, new Set(decided.map(({ pending_change_id }) => pending_change_id)))
}

async function openNext(
  app: InboxContext['app'],
  data: InboxContext['data'],
  decided: ReadonlySet<string>,
): Promise<void> {
  const { pathname } = pageUrl()
  const isHere = pathname === '/inbox' || pathname.startsWith('/inbox/')
  const openId = data.card?.pending_change_id
  if (!isHere || !openId || !decided.has(openId)) return
  await app.navigate(inboxHref(data.query, data.opened ? afterDecided(data.ids, decided) : null), {
    replace: true,
  })
}
