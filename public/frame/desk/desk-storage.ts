// The tabs of each Space, stored on this device.

import type { App, Tab } from '../../app/app.ts'
import { rightAddress } from '../../app/router/routes.ts'
import { pageUrl } from '../../ui/address.ts'
import { type Desk, emptyDesk, openTab, parseDesk, renewed } from './desk-state.ts'

/** The stored tabs of the current Space, with the shown URL as one of them. */
export function loadDesk({ state }: Pick<App, 'state'>): Desk {
  const { space, here } = state.get()
  const lastDesk = parseDesk(readItem(keyOf(space?.slug)))
  const href = rightAddress(pageUrl())
  const at = lastDesk.left.tabs.findIndex((tab) => tab.href === here.href)
  const desk =
    at >= 0 ? withLeftTab(lastDesk, at, here) : openTab({ ...lastDesk, active: 'left' }, here, 'left')
  if (href === null) return { ...desk, right: emptyDesk.right, active: 'left' }
  return { ...openTab(desk, { href, title: 'Right pane', kind: 'page' }, 'right'), active: 'left' }
}

export function storeDesk({ state }: Pick<App, 'state'>, desk: Desk): void {
  try {
    localStorage.setItem(keyOf(state.get().space?.slug), JSON.stringify({ ...desk, closed: [] }))
  } catch {
    // Without storage the tabs last as long as the page.
  }
}

/** The desk with that tab of the left side replaced and shown. */
export const withLeftTab = (desk: Desk, index: number, tab: Tab): Desk => ({
  ...desk,
  left: { tabs: desk.left.tabs.with(index, renewed(desk.left.tabs[index], tab)), current: index },
})

const maxChanged = 100

/** The paths of tabs that were changed while they were not shown. */
export function loadChanged(): Set<string> {
  try {
    const value: unknown = JSON.parse(readItem(changedKey) ?? '[]')
    return new Set(Array.isArray(value) ? value.filter((path) => typeof path === 'string') : [])
  } catch {
    return new Set()
  }
}

export function storeChanged(paths: ReadonlySet<string>): void {
  try {
    localStorage.setItem(changedKey, JSON.stringify([...paths].slice(-maxChanged)))
  } catch {
    // Without storage the marks last as long as the page.
  }
}

const changedKey = 'void:changed'

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

const keyOf = (slug: string | undefined) => `void:desk:${slug ?? ''}`
