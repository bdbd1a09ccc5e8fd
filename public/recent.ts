// What was looked at last, kept on this device for the palette.

import type { App } from './app.ts'

export type Recent = { href: string; type: string; title: string; space: string }

const key = 'void:recent'
const most = 12

/** Notes every thing that a view shows. */
export function keepRecent({ state, signal }: Pick<App, 'state' | 'signal'>): void {
  state.watch(({ subject }) => subject, note, signal)
  note()

  function note(): void {
    const { subject, space, path } = state.get()
    if (!subject || !space || subject.entityType === 'space') return
    const recent = { href: path, type: subject.entityType, title: subject.title, space: space.name }
    const all = [recent, ...readRecent().filter(({ href }) => href !== path)].slice(0, most)
    try {
      localStorage.setItem(key, JSON.stringify(all))
    } catch {
      // A browser that refuses storage has no recent things.
    }
  }
}

/** The newest first; whatever is not a list of such things counts as none. */
export function readRecent(): Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecent) : []
  } catch {
    return []
  }
}

const isRecent = (value: unknown): value is Recent =>
  typeof value === 'object' &&
  value !== null &&
  ['href', 'type', 'title', 'space'].every((name) => typeof Reflect.get(value, name) === 'string')
