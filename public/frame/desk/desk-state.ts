// The tabs of the content area, as plain data: one or two sides, each with its tabs in order and one of them shown.
// Every function returns a new desk and leaves its argument unchanged.

import type { Side, Tab } from '../../app/app.ts'

export type Pane = {
  tabs: readonly Tab[]
  /** The place of the tab that is shown; -1 for none. */
  current: number
}

/** A place among the tabs of a side, counted from 0. */
export type Place = { side: Side; index: number }

export type Desk = {
  left: Pane
  /** Without tabs: the content area is not split. */
  right: Pane
  /** The side that the keys and the companion mean. */
  active: Side
  /** What was closed last, the latest first. */
  closed: readonly (Tab & { side: Side })[]
}

const maxTabs = 20
const maxClosed = 10

const emptyPane: Pane = { tabs: [], current: -1 }
export const emptyDesk: Desk = { left: emptyPane, right: emptyPane, active: 'left', closed: [] }

export const currentTab = ({ tabs, current }: Pane): Tab | null => tabs[current] ?? null
export const isSplit = ({ right }: Desk): boolean => right.tabs.length > 0

/** The side and place of a tab with this path (a query aside), the active side first. */
export function findTab(desk: Desk, href: string): Place | null {
  const sides: Side[] = desk.active === 'left' ? ['left', 'right'] : ['right', 'left']
  for (const side of sides) {
    const index = desk[side].tabs.findIndex((tab) => pathOf(tab.href) === pathOf(href))
    if (index >= 0) return { side, index }
  }
  return null
}

/** Shows a tab of that address on a side: the one that is there, else a new one behind the current one. */
export function openTab(desk: Desk, tab: Tab, side: Side = desk.active): Desk {
  const pane = desk[side]
  const there = pane.tabs.findIndex(({ href }) => pathOf(href) === pathOf(tab.href))
  if (there >= 0)
    return {
      ...withPane(desk, side, {
        tabs: pane.tabs.with(there, renewed(pane.tabs[there], tab)),
        current: there,
      }),
      active: side,
    }

  const at = pane.current + 1
  const tabs = pane.tabs.toSpliced(at, 0, tab)
  const over = tabs.length > maxTabs
  const rest = over ? tabs.filter((_, index) => index !== oldest(at)) : tabs
  return { ...withPane(desk, side, { tabs: rest, current: rest.indexOf(tab) }), active: side }
}

/** A click on a link: the shown tab opens it. A side without tabs gets one. */
export function navigateTab(desk: Desk, tab: Tab, side: Side): Desk {
  const pane = desk[side]
  if (pane.current < 0) return openTab(desk, tab, side)
  const twin = pane.tabs.findIndex(
    ({ href }, index) => index !== pane.current && pathOf(href) === pathOf(tab.href),
  )
  const current = renewed(pane.tabs[twin < 0 ? pane.current : twin], tab)
  const replaced = pane.tabs.with(pane.current, current)
  const tabs = twin < 0 ? replaced : replaced.filter((_, index) => index !== twin)
  return withPane(desk, side, { tabs, current: tabs.indexOf(current) })
}

/** The tab in the place of another; one of the same path keeps what it came from. */
export const renewed = (before: Tab | undefined, tab: Tab): Tab =>
  before?.origin && !tab.origin && pathOf(before.href) === pathOf(tab.href)
    ? { ...tab, origin: before.origin }
    : tab

export function focusTab(desk: Desk, side: Side, index: number): Desk {
  const { tabs } = desk[side]
  if (!tabs[index]) return desk
  return { ...withPane(desk, side, { tabs, current: index }), active: side }
}

/** The next or previous tab of the active side, round the end. */
export function stepTab(desk: Desk, by: 1 | -1): Desk {
  const { tabs, current } = desk[desk.active]
  return tabs.length < 2 ? desk : focusTab(desk, desk.active, (current + by + tabs.length) % tabs.length)
}

/** Closes a tab; the one behind it is shown, else the one before. The last tab of the left side stays. */
export function closeTab(desk: Desk, side: Side, index: number): Desk {
  const pane = desk[side]
  const tab = pane.tabs[index]
  if (!tab) return desk
  if (side === 'left' && pane.tabs.length === 1) return isSplit(desk) ? closeLastLeft(desk, tab) : desk
  const tabs = pane.tabs.filter((_, each) => each !== index)
  const current = Math.min(index < pane.current ? pane.current - 1 : pane.current, tabs.length - 1)
  const next = noteClosed(withPane(desk, side, { tabs, current }), { ...tab, side })
  return next.right.tabs.length === 0 ? { ...next, active: 'left' } : next
}

/** The right pane becomes the only one. */
function closeLastLeft(desk: Desk, tab: Tab): Desk {
  return noteClosed({ ...desk, left: desk.right, right: emptyPane, active: 'left' }, { ...tab, side: 'left' })
}

/** Reopens the tab that was closed last. */
export function reopenTab(desk: Desk): Desk {
  const [last, ...closed] = desk.closed
  if (!last) return desk
  const { side, ...tab } = last
  return openTab({ ...desk, closed }, tab, side)
}

/** Moves the shown tab of the active side one place on. */
export function moveTab(desk: Desk, by: 1 | -1): Desk {
  const { active: side } = desk
  const { current: index } = desk[side]
  return placeTab(desk, { side, index }, { side, index: index + by })
}

/** Puts a tab at another place, of its own side or of the other one, which then shows it; a place too far is the end. */
export function placeTab(desk: Desk, from: Place, to: Place): Desk {
  const pane = desk[from.side]
  const tab = pane.tabs[from.index]
  if (!tab || to.index < 0) return desk
  if (from.side !== to.side) return bringOver(desk, { from, tab, to })
  const at = Math.min(to.index, pane.tabs.length - 1)
  if (from.index === at) return desk
  const current = currentTab(pane)
  const tabs = pane.tabs.toSpliced(from.index, 1).toSpliced(at, 0, tab)
  return withPane(desk, from.side, { tabs, current: current ? tabs.indexOf(current) : -1 })
}

function bringOver(desk: Desk, { from, tab, to }: { from: Place; tab: Tab; to: Place }): Desk {
  const rest = { ...closeTab(desk, from.side, from.index), closed: desk.closed }
  // What was alone on its side leaves one side only.
  const side = isSplit(rest) ? to.side : 'left'
  const there = openTab(rest, tab, side)
  return placeTab(there, { side, index: there[side].current }, { side, index: to.index })
}

/** Moves the shown tab to the other side; one alone is shown on both, so that there is something beside it. */
export function splitTab(desk: Desk): Desk {
  const from = desk.active
  const to: Side = from === 'left' ? 'right' : 'left'
  const tab = currentTab(desk[from])
  if (!tab) return desk
  const alone = from === 'left' && desk.left.tabs.length === 1
  const { closed } = desk
  const rest = alone ? desk : { ...closeTab(desk, from, desk[from].current), closed }
  return openTab(rest, tab, to)
}

/** The desk as stored, or an empty one where that is none. */
export function parseDesk(text: string | null): Desk {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (!isObject(value)) return emptyDesk
    const left = parsePane(value.left)
    const right = parsePane(value.right)
    return {
      left,
      right,
      active: value.active === 'right' && right.tabs.length > 0 ? 'right' : 'left',
      closed: [],
    }
  } catch {
    return emptyDesk
  }
}

function parsePane(value: unknown): Pane {
  if (!isObject(value) || !Array.isArray(value.tabs)) return emptyPane
  const tabs = value.tabs.filter(isTab).slice(0, maxTabs).map(withOrigin)
  const current = typeof value.current === 'number' && tabs[value.current] ? value.current : tabs.length - 1
  return { tabs, current }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** A URL of the app only: a stored one must not open another site. */
const isTab = (value: unknown): value is Tab =>
  isObject(value) &&
  typeof value.href === 'string' &&
  /^\/(?!\/)/.test(value.href) &&
  typeof value.title === 'string' &&
  typeof value.kind === 'string'

function withOrigin({ origin, ...tab }: Tab): Tab {
  const isOrigin =
    isObject(origin) &&
    typeof origin.turn === 'string' &&
    typeof origin.thread === 'string' &&
    (origin.call === null || typeof origin.call === 'string')
  return isOrigin ? { ...tab, origin } : tab
}

const withPane = (desk: Desk, side: Side, pane: Pane): Desk =>
  side === 'left' ? { ...desk, left: pane } : { ...desk, right: pane }

const noteClosed = (desk: Desk, tab: Tab & { side: Side }): Desk => ({
  ...desk,
  closed: [tab, ...desk.closed].slice(0, maxClosed),
})

const oldest = (index: number) => (index === 0 ? 1 : 0)

/** The path of an address, without query and hash. */
export const pathOf = (href: string): string => href.split(/[?#]/)[0] ?? href
