// Tells open browsers what happened, on this server and on the others that share its Postgres (share-live.ts).

import type { LiveEvent, Published } from '../contract/events/live.ts'
import type { Notifications } from '../db/notifications.ts'
import { shareLive } from './share-live.ts'

/** `elsewhere`: it happened on another server. */
export type NumberedLiveEvent = LiveEvent & { id: string; elsewhere: boolean }

/** Must not throw. */
type LiveReader = (event: NumberedLiveEvent) => void

export type Live = {
  /** Tells the readers of all servers. */
  publish(event: Published): void
  /**
   * Tells `hello`, then what happened after the event named by `lastId` as far as it is still known, then all that
   * comes. The function returned ends that.
   */
  subscribe(reader: LiveReader, lastId: string | null, onClose?: () => void): () => void
  /** The id after which whatever happens from now on comes. */
  position(): string
  /** Lets every reader go, telling each by its `onClose`: the server stops. */
  close(): void
}

/** Events kept for readers that come back after a moment. */
const maxCached = 500

export type LiveOptions = {
  /** Names this run of the server: numbers of another run mean nothing here. */
  boot: string
  version: string
  notifications: Notifications
}

export function createLive({ boot, version, notifications }: LiveOptions): Live {
  const kept: (NumberedLiveEvent & { seq: number })[] = []
  const readers = new Map<LiveReader, () => void>()
  let seq = 0

  const idOf = (number: number) => `${boot}-${number}`

  function missedSince(lastId: string | null) {
    const last = lastId?.startsWith(`${boot}-`) ? Number(lastId.slice(boot.length + 1)) : Number.NaN
    const oldest = (kept[0]?.seq ?? seq + 1) - 1
    return last >= oldest && last <= seq ? kept.filter((event) => event.seq > last) : null
  }

  const hello = (after: number, resumed: boolean): NumberedLiveEvent => ({
    type: 'hello',
    id: idOf(after),
    elsewhere: false,
    data: { resumed, version },
  })

  function tell(event: Published, elsewhere: boolean): void {
    seq += 1
    const numbered = { ...event, seq, id: idOf(seq), elsewhere }
    kept.push(numbered)
    if (kept.length > maxCached) kept.shift()
    for (const reader of readers.keys()) reader(numbered)
  }

  // No number from before reaches over a gap.
  function publishGap(): void {
    seq += 1
    kept.length = 0
    for (const reader of readers.keys()) reader(hello(seq, false))
  }

  const others = shareLive({
    notifications,
    boot,
    onEvent: (event) => tell(event, true),
    onGap: publishGap,
  })

  return {
    publish(event) {
      tell(event, false)
      others.tell(event)
    },

    subscribe(reader, lastId, onClose = () => {}) {
      const missed = missedSince(lastId)
      const since = missed?.[0] ? missed[0].seq - 1 : seq
      reader(hello(since, missed !== null))
      for (const event of missed ?? []) reader(event)
      readers.set(reader, onClose)
      return () => readers.delete(reader)
    },

    position: () => idOf(seq),

    close() {
      others.close()
      for (const onClose of readers.values()) onClose()
      readers.clear()
    },
  }
}
