// Servers on one Postgres tell each other what happened, so that a tab hears of it whichever server it is at. What is
// told within a moment goes along in few words. Where it may have got lost, `onGap` is called: whoever shows something
// asks for it again.

import { z } from 'zod'
import { Published } from '../contract/events/live.ts'
import type { Notifications } from '../db/notifications.ts'

export type ShareOptions = {
  notifications: Notifications
  /** Names this run of this server: what it told itself it does not hear. */
  boot: string
  /** Must not throw. */
  onEvent: (event: Published) => void
  /** Called when something may have been missed. Must not throw. */
  onGap: () => void
}

export type SharedLive = { tell(event: Published): void; close(): void }

const channel = 'void_live'
const flushDelayMs = 20
/** Bytes of one notification; Postgres takes just under 8,000. */
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
      // Numbered, because Postgres tells the same words only once when they are sent together.
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

/** `null` for what cannot be understood, such as the words of another version. */
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
