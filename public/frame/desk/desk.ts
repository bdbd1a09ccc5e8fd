// The tabs of the content area, started after the first paint: stored on this device Space by Space, moved by hand, by
// keys and by the companion. The left side is the page's own view; the right side is a frame.

import type { OpenDesk, OpenTab } from '../../../lib/contract/companion/open-desk.ts'
import type { Effect, PanelView } from '../../../lib/contract/events/effects.ts'
import type { App, AppContext, SaveStatus, Side, Tab, TabOrigin } from '../../app/app.ts'
import { createStore, type Store } from '../../app/state.ts'
import { pageUrl } from '../../ui/address.ts'
import { isKind, spaceHref } from '../../ui/words/addresses.ts'
import { applyDeskEffect } from './desk-effects.ts'
import { addDeskKeys, runDeskKey } from './desk-keys.ts'
import { currentTab, type Desk, focusTab, isSplit, navigateTab, openTab, pathOf } from './desk-state.ts'
import { loadDesk, storeDesk, withLeftTab } from './desk-storage.ts'
import { type FromPane, onMessageFrom } from './pane-link.ts'
import { createRightFrame } from './right-frame.ts'
import { createTabStrips } from './tab-strips.ts'

export type DeskPart = {
  /** Applies what the companion shows. Resolves to false where the owner has to open it. */
  applyEffect(effect: Effect, origin: TabOrigin): Promise<boolean>
  /** The tabs as a turn is sent with them, but for the entity with that id. */
  openTabs(without: string | null): OpenDesk
}

export function startDesk(context: AppContext): DeskPart {
  const { app, signal } = context
  const { state } = app
  const desk = createStore<Desk>(loadDesk(app))
  const frame = createRightFrame(() => state.get().beside?.tab.href ?? null)
  // What is chosen opens in the right half.
  const openRightPalette = () => app.panels.openPalette(undefined, goRight)
  const newTab = createNewTab(app, desk, openRightPalette)
  const onKey = (key: string) => runDeskKey(key, desk, newTab.open)
  const strips = createTabStrips(context, desk, newTab.open)
  const onDesk = () => {
    const all = desk.get()
    storeDesk(app, all)
    frame.show(currentTab(all.right)?.href ?? null)
    strips.drawIfChanged()
    state.set({ active: all.active, ...(isSplit(all) ? {} : { beside: null }) })
    const left = currentTab(all.left)
    if (left && left.href !== state.get().here.href) app.navigate(left.href)
  }
  const onPane = (message: FromPane) => {
    if (message.void === 'active' || message.void === 'key') desk.set({ active: 'right' })
    if (message.void === 'companion') app.panels.toggleRail(true)
    if (message.void === 'palette') openRightPalette()
    if (message.void === 'key') onKey(message.key)
    if (message.void !== 'at') return
    const { tab, subject, saving } = message
    state.set({ beside: { tab, subject, saving: parseSaveStatus(saving) } })
    if (!frame.onArrival()) showRight(desk, tab, newTab)
  }

  state.watch(
    ({ here }) => here,
    (tab) => showLeft(desk, tab, newTab),
    signal,
  )
  state.watch(
    ({ space }) => space?.id,
    () => desk.set(loadDesk(app)),
    signal,
  )
  desk.watch((all) => all, onDesk, signal)
  onMessageFrom<FromPane>(frame.window, onPane, signal)
  document.addEventListener('focusin', ({ target }) => isInLeft(target) && desk.set({ active: 'left' }), {
    signal,
  })
  addDeskKeys(app.keys, onKey, signal)
  app.openBeside = (href) => openBeside({ desk, frame, newTab }, new URL(href, pageUrl()))
  onDesk()

  async function goRight(href: string): Promise<void> {
    frame.navigate(href)
    document.querySelector<HTMLElement>('#beside')?.focus()
  }

  return {
    applyEffect: (effect, origin) => applyDeskEffect(app, { desk, frame }, effect, origin),
    openTabs: (without) => toOpenDesk(desk.get(), { slug: state.get().space?.slug ?? '', without }),
  }
}

type DeskContext = { desk: Store<Desk>; frame: ReturnType<typeof createRightFrame>; newTab: NewTab }

/** Shows what is open in the right half, and there alone, in that half; false for all else. */
function openBeside({ desk, frame, newTab }: DeskContext, url: URL): boolean {
  const { left, right } = desk.get()
  const isThere = ({ href }: Tab) => pathOf(href) === url.pathname
  const index = right.tabs.findIndex(isThere)
  const beside = document.querySelector<HTMLElement>('#beside')
  if (index < 0 || left.tabs.some(isThere) || !beside?.checkVisibility()) return false
  newTab.take('left')
  desk.set((all) => focusTab(all, 'right', index))
  const address = `${url.pathname}${url.search}${url.hash}`
  if (right.tabs[index]?.href !== address) frame.navigate(address)
  beside.focus()
  return true
}

type NewTab = {
  /** Asks where the active side is to go next, in a tab of its own. */
  open(): void
  /** Whether what a side shows now was asked for in a tab of its own; true once. */
  take(side: Side): boolean
}

function createNewTab({ panels }: App, desk: Store<Desk>, openRightPalette: () => void): NewTab {
  let target: Side | null = null

  return {
    open() {
      target = desk.get().active
      if (target === 'left') panels.openPalette()
      else openRightPalette()
    },
    take(side) {
      const isWanted = target === side
      if (isWanted) target = null
      return isWanted
    },
  }
}

/** A click, the history or the palette has changed the page's view: the shown tab of the left side is there now. */
function showLeft(desk: Store<Desk>, tab: Tab, newTab: NewTab): void {
  const isNew = newTab.take('left')
  desk.set((all) => {
    if (currentTab(all.left)?.href === tab.href) return navigateTab(all, tab, 'left')
    const at = all.left.tabs.findIndex(({ href }) => href === tab.href)
    if (at >= 0) return withLeftTab(all, at, tab)
    return isNew ? openTab(all, tab, 'left') : navigateTab(all, tab, 'left')
  })
}

function showRight(desk: Store<Desk>, tab: Tab, newTab: NewTab): void {
  const isNew = currentTab(desk.get().right)?.href !== tab.href && newTab.take('right')
  const show = isNew ? openTab : navigateTab
  desk.set((all) => (isSplit(all) ? show(all, tab, 'right') : all))
}

const isInLeft = (target: EventTarget | null) =>
  target instanceof Element && target.closest('.pane-left') !== null

const parseSaveStatus = (saving: string | null): SaveStatus =>
  saving === 'unsaved' || saving === 'saving' || saving === 'error' ? saving : null

export type OpenDeskOptions = {
  /** The slug of the Space of the conversation. Tabs of other Spaces are left out. */
  slug: string
  /** The id of an entity that is left out. */
  without: string | null
}

/** The tabs to send with a turn: without titles, which the server has. */
export function toOpenDesk(desk: Desk, options: OpenDeskOptions): OpenDesk {
  const sides: Side[] = ['left', 'right']
  return {
    active: desk.active,
    tabs: sides.flatMap((side) =>
      desk[side].tabs.flatMap((tab): OpenTab[] => {
        const what = describe(tab, options)
        return what ? [{ side, shown: tab === currentTab(desk[side]), ...what }] : []
      }),
    ),
  }
}

type What = { kind: string; id: string } | { view: PanelView; q: string | null }

function describe({ href, kind }: Tab, { slug, without }: OpenDeskOptions): What | null {
  const [path = '', query] = href.split('?')
  if (path.startsWith('/s/') && path !== spaceHref(slug) && !path.startsWith(`${spaceHref(slug)}/`))
    return null
  const id = path.split('/').at(-1) ?? ''
  if (isKind(kind)) return id === without ? null : { kind, id }
  if (!isView(kind)) return null
  return {
    view: kind,
    q: kind === 'search' ? (new URLSearchParams(query).get('q')?.slice(0, 200) ?? null) : null,
  }
}

const views: Record<PanelView, true> = {
  home: true,
  pages: true,
  tasks: true,
  projects: true,
  refs: true,
  resources: true,
  'source-docs': true,
  search: true,
  activity: true,
  inbox: true,
  trash: true,
}

const isView = (name: string): name is PanelView => Object.hasOwn(views, name)
