// The entities viewed last, stored on this device for the palette.

import type { AppContext } from '../app.ts'

export type RecentItem = { href: string; type: string; title: string; space: string }

const key = 'void:recent'
const maxItems = 12

/** Adds every entity that a view shows. */
export function trackRecentItems({ app: { state }, signal }: AppContext): void {
  state.watch(({ subject }) => subject, add, signal)
  add()

  function add(): void {
    const { subject, space, path } = state.get()
    if (!subject || !space || subject.entityType === 'space') return
    const recent = { href: path, type: subject.entityType, title: subject.title, space: space.name }
    const all = [recent, ...loadRecentItems().filter(({ href }) => href !== path)].slice(0, maxItems)
    try {
      localStorage.setItem(key, JSON.stringify(all))
    } catch {
      // Without storage there are no recent items.
    }
  }
}

/** The newest first; anything else in storage is ignored. */
export function loadRecentItems(): RecentItem[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(value) ? value.filter(isRecent) : []
  } catch {
    return []
  }
}

const isRecent = (value: unknown): value is RecentItem =>
  typeof value === 'object' &&
  value !== null &&
  ['href', 'type', 'title', 'space'].every((name) => typeof Reflect.get(value, name) === 'string')
