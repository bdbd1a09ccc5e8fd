// Tells open browsers what happened. In this process it is a list of readers; servers that share a Postgres can add
// LISTEN/NOTIFY behind `publish`, the one place where events come in.

import type { LiveEvent } from '../contract/live.ts'

export type Published = Exclude<LiveEvent, { type: 'hello' }>

export type NumberedLiveEvent = LiveEvent & { id: string }

/** Must not throw. */
export type LiveReader = (event: NumberedLiveEvent) => void

export type Live = {
  publish(event: Published): void
  /**
   * Tells `hello`, then what happened after the event named by `lastId` as far as it is still known, then all that
   * comes. The function returned ends that.
   */
  subscribe(reader: LiveReader, lastId: string | null, onClose?: () => void): () => void
  /** Lets every reader go, telling each by its `onClose`: the server stops. */
  close(): void
}

/** Events kept for readers that come back after a moment. */
const mostKept = 500

/** `boot` names this run of the server: numbers of another run mean nothing here. */
export function createLive({ boot, version }: { boot: string; version: string }): Live {
  const kept: (NumberedLiveEvent & { seq: number })[] = []
  const readers = new Map<LiveReader, () => void>()
  let seq = 0

  const idOf = (number: number) => `${boot}-${number}`

  function missedSince(lastId: string | null) {
    const last = lastId?.startsWith(`${boot}-`) ? Number(lastId.slice(boot.length + 1)) : Number.NaN
    const oldest = (kept[0]?.seq ?? seq + 1) - 1
    return last >= oldest && last <= seq ? kept.filter((event) => event.seq > last) : null
  }

  return {
    publish(event) {
      seq += 1
      const numbered = { ...event, seq, id: idOf(seq) }
      kept.push(numbered)
      if (kept.length > mostKept) kept.shift()
      for (const reader of readers.keys()) reader(numbered)
    },

    subscribe(reader, lastId, onClose = () => {}) {
      const missed = missedSince(lastId)
      const since = missed?.[0] ? missed[0].seq - 1 : seq
      reader({ type: 'hello', id: idOf(since), data: { resumed: missed !== null, version } })
      for (const event of missed ?? []) reader(event)
      readers.set(reader, onClose)
      return () => readers.delete(reader)
    },

    close() {
      for (const onClose of readers.values()) onClose()
      readers.clear()
    },
  }
}
