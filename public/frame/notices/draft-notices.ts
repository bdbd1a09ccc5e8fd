import type { Card } from '../../../lib/contract/changes/card.ts'
import type { AppContext } from '../../app/app.ts'
import { isNotifying, notify } from '../../app/storage/notify.ts'

/** Drafts that come within this time are one notification. */
const gatherMs = 2000

/** Notifies of drafts that wait for the owner, while another window is in use. */
export function startDraftNotices({ app, signal }: AppContext): void {
  let waiting: string[] = []

  app.live.on(({ type, data }) => {
    if (type !== 'change' || data.status !== 'pending' || data.undone || !isNotifying()) return
    if (waiting.length === 0) setTimeout(tell, gatherMs)
    if (!waiting.includes(data.id)) waiting.push(data.id)
  }, signal)

  async function tell(): Promise<void> {
    const [first, ...more] = waiting
    waiting = []
    if (!first || signal.aborted) return
    if (more.length > 0) {
      const title = `${more.length + 1} drafts wait for you`
      return notify({
        id: first,
        title,
        body: 'Open the Inbox to decide.',
        open: () => app.navigate('/inbox'),
      })
    }
    const change = await app.api.get<{ card: Card }>(`/api/pending-changes/${first}`).catch(() => null)
    if (change?.card.status !== 'pending') return
    const body = `${change.card.summary} · ${change.card.space.name}`
    notify({ id: first, title: 'A draft waits for you', body, open: () => app.navigate(`/inbox/${first}`) })
  }
}
