// The tabs of the content area, brought to life after the first paint: kept on this device Space by Space, moved by
// hand, by keys and by the companion. The left side is the page's own view; the right side is a frame beside it.

import type { Effect } from '../../lib/contract/effects.ts'
import type { LiveEvent } from '../../lib/contract/live.ts'
import type { OpenDesk } from '../../lib/contract/open-desk.ts'
import type { App, AppState } from '../app.ts'
import { createStore } from '../state.ts'
import { besideOf } from './beside.ts'
import { createBesideFrame } from './beside-frame.ts'
import { addDeskKeys, runDeskKey } from './desk-keys.ts'
import {
  closeTab,
  currentTab,
  type Desk,
  emptyDesk,
  findTab,
  focusTab,
  isSplit,
  navigateTab,
  openTab,
  parseDesk,
  placeTab,
  type Side,
  splitTab,
  type Tab,
} from './desk-state.ts'
import { type Dispatched, dispatchEffect } from './dispatch-effect.ts'
import { addTabDrag } from './drag-tabs.ts'
import { type FromPane, hear } from './pane-link.ts'
import { renderTabStrip, type StripActs, type TabMark } from './tab-strip.ts'
import { toOpenDesk } from './to-open-desk.ts'

export type DeskPart = {
  applyEffect(effect: Effect): Promise<boolean>
  /** The tabs as a turn is told of them, but for the entity with that id. */
  describe(without: string | null): OpenDesk
}

export function startDesk(app: App): DeskPart {
  const { state, signal } = app
  const desk = createStore<Desk>(restore(app))
  const changed = new Set<string>()
  const left = keepLeft(app, drawStrips)
  /** The side on which the next address that is gone to gets a tab of its own. */
  let newTab: Side | null = null
  /** What the strips show. */
  let drawn: Desk | null = null
  const besideFrame = createBesideFrame(() => state.get().beside?.tab.href ?? null)

  state.watch(({ here }) => here, onHere, signal)
  state.watch(({ space }) => space?.id, onSpace, signal)
  state.watch(
    ({ beside, saving, reading }) => [beside?.saving, beside?.tab, saving, reading].join('\n'),
    drawStrips,
    signal,
  )
  desk.watch((all) => all, onDesk, signal)
  app.live.on(onLive, signal)
  hear<FromPane>(besideFrame.window, onPane, signal)
  document.addEventListener('focusin', onFocus, { signal })
  addDeskKeys(app.keys, onKey, signal)
  onDesk()

  const describe = (without: string | null) =>
    toOpenDesk(desk.get(), { slug: state.get().space?.slug ?? '', without })
  return { applyEffect, describe }

  function openNext(): void {
    newTab = desk.get().active
    if (newTab === 'left') app.openPalette()
    else besideFrame.openPalette()
  }

  function onKey(key: string): void {
    runDeskKey(key, desk, openNext)
  }

  // A click, the history or the palette has gone somewhere: the shown tab of the left side is there now.
  function onHere(tab: Tab): void {
    const apart = takeNewTab('left')
    desk.set((all) => {
      if (currentTab(all.left)?.href === tab.href) return navigateTab(all, tab, 'left')
      const there = all.left.tabs.findIndex(({ href }) => href === tab.href)
      if (there >= 0) return withLeft(all, there, tab)
      return apart ? openTab(all, tab, 'left') : navigateTab(all, tab, 'left')
    })
  }

  function takeNewTab(side: Side): boolean {
    const isWanted = newTab === side
    if (isWanted) newTab = null
    return isWanted
  }

  function onSpace(): void {
    desk.set(restore(app))
  }

  function onDesk(): void {
    const all = desk.get()
    keep(app, all)
    const left = currentTab(all.left)
    const right = currentTab(all.right)
    for (const tab of [left, right]) if (tab) changed.delete(pathOf(tab.href))
    besideFrame.show(right?.href ?? null)
    // A press on a tab makes its side the active one: what is pressed must stay, or it could not be dragged.
    if (all.left !== drawn?.left || all.right !== drawn.right) drawStrips()
    state.set({ active: all.active, ...(isSplit(all) ? {} : { beside: null }) })
    if (left && left.href !== state.get().here.href) app.navigate(left.href)
  }

  function drawStrips(): void {
    const all = desk.get()
    drawn = all
    for (const side of ['left', 'right'] as const) {
      const place = document.querySelector(`#tabs-${side}`)
      if (!place) continue
      const focused = place.contains(document.activeElement) ? document.activeElement?.id : null
      const strip = renderTabStrip(all[side], {
        side,
        markOf: (tab) => markOf(tab, side),
        acts: actsOf(side),
      })
      addTabDrag(strip, side, (from, to) => desk.set((now) => placeTab(now, from, to)))
      place.replaceWith(strip)
      if (focused) document.getElementById(focused)?.focus()
      const shown = document.querySelector(`#tabs-${side} [aria-current]`)
      shown?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
  }

  function markOf(tab: Tab, side: Side): TabMark | null {
    const { saving, beside, reading } = state.get()
    const shown = currentTab(desk.get()[side])?.href === tab.href
    const own = side === 'left' ? saving : (beside?.saving ?? null)
    if (shown && own) return own
    const kept = left.get(pathOf(tab.href))
    if (kept) return kept
    if (reading.some((id) => pathOf(tab.href).endsWith(`/${id}`))) return 'reading'
    return changed.has(pathOf(tab.href)) ? 'changed' : null
  }

  function actsOf(side: Side): StripActs {
    return {
      focus: (index) => desk.set((all) => focusTab(all, side, index)),
      close: (index) => desk.set((all) => closeTab(all, side, index)),
      add: () => {
        desk.set({ active: side })
        openNext()
      },
      split: () => desk.set((all) => splitTab({ ...all, active: side })),
    }
  }

  function onPane(message: FromPane): void {
    if (message.void === 'active' || message.void === 'key') desk.set({ active: 'right' })
    if (message.void === 'companion') app.toggleRail(true)
    if (message.void === 'key') onKey(message.key)
    if (message.void !== 'at') return
    const { tab, subject, saving } = message
    state.set({ beside: { tab, subject, saving: toSaving(saving) } })
    if (besideFrame.arrive()) return
    const { right } = desk.get()
    const apart = currentTab(right)?.href !== tab.href && takeNewTab('right')
    const show = apart ? openTab : navigateTab
    desk.set((all) => (isSplit(all) ? show(all, tab, 'right') : all))
  }

  function onFocus({ target }: FocusEvent): void {
    if (target instanceof Element && target.closest('.pane-left')) desk.set({ active: 'left' })
  }

  // An approved draft has changed what a tab shows that is not looked at.
  function onLive(event: LiveEvent): void {
    if (event.type !== 'change' || event.data.status !== 'approved') return
    const all = desk.get()
    const shown = [currentTab(all.left), currentTab(all.right)].map((tab) => tab && pathOf(tab.href))
    for (const { href } of [...all.left.tabs, ...all.right.tabs]) {
      const path = pathOf(href)
      if (path.endsWith(`/${event.data.entity_id}`) && !shown.includes(path)) changed.add(path)
    }
    drawStrips()
  }

  async function applyEffect(effect: Effect): Promise<boolean> {
    const mayMove = app.prefs.get().moveView
    const result = dispatchEffect(desk.get(), effect, { spaces: state.get().spaces, mayMove })
    if (!result) {
      console.info(`An effect was left out, because what it is about is not here: ${effect.type}`)
      return true
    }
    if (result.notice) app.toast(result.notice)
    // Structure first: what a panel shows comes after the panel.
    desk.set(result.desk)
    if (result.content) await showContent(result.content)
    return result.link === null
  }

  async function showContent(content: NonNullable<Dispatched['content']>): Promise<void> {
    if ('version' in content) {
      tellUpdate(content)
      return
    }
    const { href, mark } = content
    const url = new URL(href, location.href)
    url.searchParams.set('cite', mark.slice(0, 300))
    const address = `${url.pathname}${url.search}`
    const there = findTab(desk.get(), href)
    if (there?.side === 'right') besideFrame.go(address)
    else await app.navigate(address)
  }

  // What is shown hears of it as of any change: a view draws itself anew, an editor compares.
  function tellUpdate({ kind, id, space_id, version }: Update): void {
    const { subject, beside } = state.get()
    const isOlder = [subject, beside?.subject].some(
      (shown) => shown?.entityId === id && (shown.version ?? version) < version,
    )
    if (isOlder) app.live.tell({ type: 'entity', data: { kind, id, space_id, version, action: 'update' } })
  }
}

type Update = Extract<Dispatched['content'], { version: number }>

/** What was left unsaved behind, by path, until one is there again or it is saved. */
function keepLeft({ state, live, signal }: App, onChange: () => void): ReadonlyMap<string, TabMark> {
  const left = new Map<string, TabMark>()
  let { here, saving } = state.get()
  state.watch(
    (all) => all,
    (now) => {
      if (now.here.href !== here.href && saving)
        left.set(pathOf(here.href), saving === 'error' ? 'error' : 'unsaved')
      here = now.here
      saving = now.saving
      left.delete(pathOf(here.href))
    },
    signal,
  )
  live.on((event) => {
    if (event.type !== 'entity') return
    for (const path of left.keys()) if (path.endsWith(`/${event.data.id}`)) left.delete(path)
    onChange()
  }, signal)
  return left
}

/** The tabs of the Space that is entered, with what is shown as one of them. */
function restore({ state }: App): Desk {
  const { space, here } = state.get()
  const stored = parseDesk(read(keyOf(space?.slug)))
  const href = besideOf(new URL(location.href))
  const there = stored.left.tabs.findIndex((tab) => tab.href === here.href)
  const left =
    there >= 0 ? withLeft(stored, there, here) : openTab({ ...stored, active: 'left' }, here, 'left')
  if (href === null) return { ...left, right: emptyDesk.right, active: 'left' }
  return { ...openTab(left, { href, title: 'Beside', kind: 'page' }, 'right'), active: 'left' }
}

const withLeft = (desk: Desk, index: number, tab: Tab): Desk => ({
  ...desk,
  left: { tabs: desk.left.tabs.with(index, tab), current: index },
})

function keep({ state }: App, desk: Desk): void {
  try {
    localStorage.setItem(keyOf(state.get().space?.slug), JSON.stringify({ ...desk, closed: [] }))
  } catch {
    // A browser that refuses storage forgets its tabs.
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

const keyOf = (slug: string | undefined) => `void:desk:${slug ?? ''}`
const pathOf = (href: string) => href.split(/[?#]/)[0] ?? href

const toSaving = (saving: string | null): AppState['saving'] =>
  saving === 'unsaved' || saving === 'saving' || saving === 'error' ? saving : null
