// Drafts that were asked for elsewhere, by a voice or a script: the page that is in view opens one at once, else the next
// visit offers it. Each is taken once, by one browser.

import type { PendingOpening } from '../../lib/contract/companion/open-desk.ts'
import type { AppContext } from '../app/app.ts'

export async function followOpenings({ app, signal }: AppContext): Promise<void> {
  const { api } = app
  app.live.on((event) => {
    if (event.type !== 'opening' || document.visibilityState !== 'visible') return
    if (app.prefs.get().moveView && app.state.get().saving === null) void open(event.data.id)
    else void offer(event.data.id)
  }, signal)
  document.addEventListener('visibilitychange', look, { signal })
  await look()

  /** Offers the latest of those that nobody has seen; the others are in the Inbox. */
  async function look(): Promise<void> {
    if (document.visibilityState !== 'visible') return
    const { items } = await api.get<{ items: PendingOpening[] }>('/api/openings').catch(() => ({ items: [] }))
    for (const [at, { id }] of items.entries()) {
      if (at === 0) await offer(id)
      else await take(id)
    }
  }

  async function open(id: string): Promise<void> {
    const opening = await take(id)
    if (opening) await app.navigate(hrefOf(opening))
  }

  async function offer(id: string): Promise<void> {
    const opening = await take(id)
    if (!opening) return
    const run = () => app.navigate(hrefOf(opening))
    app.toast('A draft that you requested elsewhere is ready to review.', { action: { label: 'Open', run } })
  }

  /** `null`: another page was first. */
  function take(id: string): Promise<PendingOpening | null> {
    return api.post<PendingOpening>(`/api/openings/${id}/take`, {}).catch(() => null)
  }
}

const hrefOf = ({ pending_change_id }: PendingOpening) => `/inbox/${pending_change_id}`
