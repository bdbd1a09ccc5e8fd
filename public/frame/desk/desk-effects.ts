import type { Effect } from '../../../lib/contract/events/effects.ts'
import type { App, TabOrigin } from '../../app/app.ts'
import type { Store } from '../../app/state.ts'
import { type Desk, findTab } from './desk-state.ts'
import { type Dispatched, dispatchEffect } from './dispatch-effect.ts'
import type { createRightFrame } from './right-frame.ts'

/**
 * Applies an effect of the companion. Resolves to false where the companion may not open pages, so that the owner has to.
 */
export async function applyDeskEffect(
  app: App,
  { desk, frame }: { desk: Store<Desk>; frame: ReturnType<typeof createRightFrame> },
  effect: Effect,
  origin: TabOrigin,
): Promise<boolean> {
  const { spaces } = app.state.get()
  const result = dispatchEffect(desk.get(), effect, { spaces, mayMove: app.prefs.get().moveView, origin })
  if (!result) {
    console.info(`An effect was skipped, because its subject is not here: ${effect.type}`)
    return true
  }
  if (result.notice) showNotice(app, result.notice)
  // The panel first, then what it shows.
  desk.set(result.desk)
  if (result.content) await showContent(result.content)
  return result.link === null

  async function showContent(content: NonNullable<Dispatched['content']>): Promise<void> {
    if ('version' in content) return emitUpdate(app, content)
    const { href, mark } = content
    const url = new URL(href, location.href)
    url.searchParams.set('cite', mark.slice(0, 300))
    const address = `${url.pathname}${url.search}`
    if (findTab(desk.get(), href)?.side === 'right') frame.navigate(address)
    else await app.navigate(address)
  }
}

function showNotice({ toast }: App, { level, message }: NonNullable<Dispatched['notice']>): void {
  toast(message, level === 'warning' || level === 'error' ? { tone: 'problem' } : {})
}

type Update = Extract<Dispatched['content'], { version: number }>

/** Emits the update as any other change, for a view that shows an older version. */
function emitUpdate({ state, live }: App, { kind, id, space_id, version }: Update): void {
  const { subject, beside } = state.get()
  const isOlder = [subject, beside?.subject].some(
    (shown) => shown?.entityId === id && (shown.version ?? version) < version,
  )
  if (isOlder) live.emit({ type: 'entity', data: { kind, id, space_id, version, action: 'update' } })
}
