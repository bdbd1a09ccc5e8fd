import type { Effect, Panel } from '../../../lib/contract/events/effects.ts'
import type { App, Side, Tab, TabOrigin } from '../../app/app.ts'
import { panelHref } from '../../app/panel-href.ts'
import type { Store } from '../../app/state.ts'
import { pageUrl } from '../../ui/address.ts'
import { closeTab, type Desk, findTab, focusTab, openTab } from './desk-state.ts'
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
    console.info(`Skipped an effect whose subject is not open: ${effect.type}`)
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
    const url = new URL(href, pageUrl())
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
    (one) => one?.entityId === id && (one.version ?? version) < version,
  )
  if (isOlder) live.emit({ type: 'entity', data: { kind, id, space_id, version, action: 'update' } })
}

/** The result of an effect. */
export type Dispatched = {
  desk: Desk
  /** The change within a tab: a highlight, or a newer version. Sent after the desk has changed. */
  content:
    | { href: string; mark: string }
    | { kind: string; id: string; space_id: string; version: number }
    | null
  /** A message for the owner; `null` for none. */
  notice: Pick<Extract<Effect, { type: 'notify' }>, 'level' | 'message'> | null
  /** The link to offer where the companion may not open pages. */
  link: { href: string; title: string } | null
}

export type DispatchContext = {
  spaces: readonly { id: string; slug: string }[]
  /** Whether the companion may open pages; else it offers a link. */
  mayMove: boolean
  /** The call that the effect is of, for the tabs that it opens. */
  origin?: TabOrigin
}

/**
 * Maps an effect to the tabs or to what is in them. Pure: the same desk and effect give the same result. `null` for
 * a subject that the session cannot see or does not know; the caller logs that.
 */
export function dispatchEffect(desk: Desk, effect: Effect, context: DispatchContext): Dispatched | null {
  const nothing: Dispatched = { desk, content: null, notice: null, link: null }
  if (effect.type === 'notify') return { ...nothing, notice: effect }
  // The conversation shows the card; the tabs do not change.
  if (effect.type === 'confirm') return nothing
  if (!('panel' in effect)) return null

  const plain = tabOfPanel(effect.panel, context)
  if (!plain) return null
  const tab = context.origin ? { ...plain, origin: context.origin } : plain
  const there = findTab(desk, tab.href)
  if (effect.type === 'updateContent') {
    const { panel, version } = effect
    return there && 'kind' in panel ? { ...nothing, content: { ...panel, version } } : nothing
  }
  if (!context.mayMove) {
    const mark = effect.type === 'highlight' ? effect.text : undefined
    const shows = effect.type === 'openPanel' || effect.type === 'focusPanel' || effect.type === 'highlight'
    return shows
      ? { ...nothing, link: { href: panelHref(effect.panel, context, mark) ?? tab.href, title: tab.title } }
      : nothing
  }

  switch (effect.type) {
    case 'openPanel':
      return { ...nothing, desk: open(desk, tab, effect.side) }
    case 'focusPanel':
      return { ...nothing, desk: there ? focusTab(desk, there.side, there.index) : openTab(desk, tab) }
    case 'closePanel':
      return { ...nothing, desk: there ? closeTab(desk, there.side, there.index) : desk }
    case 'highlight': {
      const arranged = there ? focusTab(desk, there.side, there.index) : openTab(desk, tab)
      return { ...nothing, desk: arranged, content: { href: tab.href, mark: effect.text } }
    }
  }
}

// One that is open where it is wanted stays; one that is open on the other side moves there.
function open(desk: Desk, tab: Tab, where: 'here' | Side): Desk {
  const there = findTab(desk, tab.href)
  if (there && (where === 'here' || there.side === where)) return focusTab(desk, there.side, there.index)
  const side = where === 'here' ? desk.active : where
  const without =
    there && !isAlone(desk, there.side)
      ? { ...closeTab(desk, there.side, there.index), closed: desk.closed }
      : desk
  return openTab(without, tab, side)
}

const isAlone = (desk: Desk, side: Side) => desk[side].tabs.length === 1 && side === 'left'

/** The tab of a panel; `null` where it has no address. */
function tabOfPanel(panel: Panel, context: { spaces: readonly { id: string; slug: string }[] }): Tab | null {
  const href = panelHref(panel, context)
  if (href === null) return null
  if (!('kind' in panel)) return { href, title: panel.title, kind: panel.view }
  return { href: panel.draft ? `${href}?draft=1` : href, title: panel.title, kind: panel.kind }
}
