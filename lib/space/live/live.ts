// Sends events to open browsers, on this server and on the others that share its Postgres; `announce` publishes what
// parts did that know nothing of live events.

import { z } from 'zod'
import type { Undo } from '../../content/writes/undo.ts'
import type { PendingChange } from '../../contract/changes/pending-change.ts'
import type { Undone } from '../../contract/entities.ts'
import { type LiveEvent, Published } from '../../contract/events/live.ts'
import type { Logger } from '../../core/logger.ts'
import type { Notifications } from '../../db/notifications.ts'
import type { Database, Tx } from '../../db/pool.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'

/** `elsewhere`: it happened on another server. */
export type NumberedLiveEvent = LiveEvent & { id: string; elsewhere: boolean }

/** Must not throw. */
type LiveReader = (event: NumberedLiveEvent) => void

export type Live = {
  /** Publishes to the readers of all servers. */
  publish(event: Published): void
  /**
   * Sends `hello`, then the events after `lastId` that are still buffered, then all new ones. The returned function
   * unsubscribes.
   */
  subscribe(reader: LiveReader, lastId: string | null, onClose?: () => void): () => void
  /** The id after which new events follow. */
  position(): string
  /** Closes all readers, calling each one's `onClose`: the server stops. */
  close(): void
}

/** Events buffered for readers that reconnect. */
const maxCached = 500

type LiveOptions = {
  /** Identifies this run of the server: another run's numbers are invalid here. */
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

// Servers on one Postgres notify each other of events, so that a tab receives them whichever server it is connected to.
// Events close together are sent in one notification. If any may have been lost, `onGap` is called: clients then reload
// what they show.

type ShareOptions = {
  notifications: Notifications
  /** Identifies this run of this server: it ignores its own notifications. */
  boot: string
  /** Must not throw. */
  onEvent: (event: Published) => void
  /** Called when events may have been missed. Must not throw. */
  onGap: () => void
}

type SharedLive = { tell(event: Published): void; close(): void }

const channel = 'void_live'

const flushDelayMs = 20

/** Maximum bytes of a notification; Postgres accepts just under 8,000. */
const maxBytes = 7000

export function shareLive({ notifications, boot, onEvent, onGap }: ShareOptions): SharedLive {
  let gathered: string[] = []
  let sent = 0
  let timer: NodeJS.Timeout | undefined
  const unlisten = notifications.listen(channel, hear, onGap)

  return {
    tell(event) {
      gathered.push(JSON.stringify(event))
      timer ??= setTimeout(flushAll, flushDelayMs)
    },
    close() {
      flushAll()
      unlisten()
    },
  }

  function flushAll(): void {
    clearTimeout(timer)
    timer = undefined
    for (const events of inPieces(gathered)) {
      // Numbered, because Postgres merges identical notifications of one transaction.
      sent += 1
      notifications.notify(channel, `${boot}.${sent} [${events.join(',')}]`)
    }
    gathered = []
  }

  function hear(payload: string): void {
    const space = payload.indexOf(' ')
    if (payload.slice(0, space).split('.')[0] === boot) return
    const events = parse(payload.slice(space + 1))
    if (events) for (const event of events) onEvent(event)
    else onGap()
  }
}

/** `null` for a message that cannot be parsed, such as another version's. */
function parse(json: string): Published[] | null {
  try {
    return z.array(Published).parse(JSON.parse(json))
  } catch {
    return null
  }
}

function inPieces(events: readonly string[]): string[][] {
  const pieces: string[][] = []
  let room = 0
  for (const event of events) {
    const bytes = Buffer.byteLength(event) + 1
    if (bytes > room) pieces.push([])
    room = (bytes > room ? maxBytes : room) - bytes
    pieces.at(-1)!.push(event)
  }
  return pieces
}

/** Must not throw. */
export type ChangeNotifier = (tx: Tx, change: PendingChange) => void

/** Publishes a draft's new state, and the number of pending drafts, once the transaction has committed. */
export function createChangeNotifier(database: Database, live: Live, logger: Logger): ChangeNotifier {
  return (tx, { id, space_id, changeset_id, entity_id, action, status }) => {
    tx.afterCommit(() => {
      live.publish({ type: 'change', data: { id, space_id, changeset_id, entity_id, action, status } })
    })
    tx.afterCommit(publishCount, 'inbox')
  }

  async function publishCount(): Promise<void> {
    try {
      const count = await createPendingChangeListsRepo(database).countPending()
      live.publish({ type: 'inbox', data: { count } })
    } catch (error) {
      logger.warn({ err: error }, 'pending changes not counted')
    }
  }
}

/** Publishes a draft after its call changed state. Never rejects. */
export function createCallNotifier(
  database: Database,
  live: Live,
  logger: Logger,
): (callId: string) => Promise<void> {
  return async (callId) => {
    try {
      const change = await createPendingChangesRepo(database).findApprovedOf(callId)
      if (!change) return
      const { id, space_id, changeset_id, entity_id, action, status } = change
      live.publish({ type: 'change', data: { id, space_id, changeset_id, entity_id, action, status } })
    } catch (error) {
      logger.warn({ err: error }, 'end of call not published')
    }
  }
}

export function announceUndos(undo: Undo, { database, live }: { database: Database; live: Live }): Undo {
  return {
    change: async (...args) => await announceOne(await undo.change(...args)),
    draft: async (...args) => await announceOne(await undo.draft(...args)),
    async changeset(actor, changesetId, drafts) {
      const all = await undo.changeset(actor, changesetId, drafts)
      const changes = await createPendingChangeListsRepo(database).listChangeset(null, changesetId)
      for (const undone of all) announce(undone, changes)
      return all
    },
  }

  async function announceOne(undone: Undone): Promise<Undone> {
    const id = undone.draft?.pending_change_id
    const within = { space_ids: null, agent_id: null }
    const change = id ? await createPendingChangesRepo(database).find(id, within) : null
    announce(undone, change ? [change] : [])
    return undone
  }

  function announce({ entity_type, entity_id, draft }: Undone, changes: readonly PendingChange[]): void {
    if (entity_type === 'space') live.publish({ type: 'space', data: { id: entity_id, action: 'update' } })
    const change = draft && changes.find(({ id }) => id === draft.pending_change_id)
    if (!change) return
    const { id, space_id, changeset_id, action, status } = change
    const data = { id, space_id, changeset_id, entity_id, action, status, undone: draft.undone }
    live.publish({ type: 'change', data })
  }
}
