import { inBrowser } from '#platform'
import type { Card } from '../../lib/contract/card.ts'
import type { CardOptions } from './card.ts'

/** Tells the server, once, that a draft that waits is before the owner's eyes: time to decide runs from there. */
export function tellShown(element: HTMLElement, card: Card, { app, signal }: CardOptions): void {
  if (!inBrowser || card.status !== 'pending') return
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    // A server that is away measures nothing, and what matters here is the draft.
    app.api.post(`/api/pending-changes/${card.pending_change_id}/shown`).catch(() => {})
  })
  observer.observe(element)
  signal.addEventListener('abort', () => observer.disconnect())
}
