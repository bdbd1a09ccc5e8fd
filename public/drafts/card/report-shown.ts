import { inBrowser } from '#platform'
import type { Card } from '../../../lib/contract/changes/card.ts'
import type { CardOptions } from './draft/card-options.ts'

/** Reports once to the server that a pending draft is visible: the time to decide is measured from then on. */
export function reportShown(element: HTMLElement, card: Card, { app, signal }: CardOptions): void {
  if (!inBrowser || card.status !== 'pending') return
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    // Only a measurement is lost.
    app.api.post(`/api/pending-changes/${card.pending_change_id}/shown`).catch(() => {})
  })
  observer.observe(element)
  signal.addEventListener('abort', () => observer.disconnect())
}
