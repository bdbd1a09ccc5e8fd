// The owner's time zone, which decides what day it is: as set in Settings, else as the first browser reported it, else
// the server's. Held in memory, since it is asked for with each message; a change holds on all servers of the database.

import type { TimeZone } from '../contract/auth.ts'
import { invalid } from '../core/errors.ts'
import type { Logger } from '../core/logger.ts'
import type { Calendar } from '../core/schedule/calendar.ts'
import { isTimeZone, machineZone } from '../core/schedule/zoned.ts'
import type { Database } from '../db/pool.ts'
import { createOwnerZoneRepo, type OwnerZoneRow } from '../db/repos/owner_sessions.ts'

export type OwnerZone = {
  calendar: Calendar
  describe(): TimeZone
  /** `browser`: kept only while none is known. Throws a 400 `AppError` for a name that is no time zone here. */
  set(row: OwnerZoneRow): Promise<void>
  load(): Promise<void>
  close(): void
}

const channel = 'void_owner_zone'

type OwnerZoneDeps = { database: Database; logger: Logger; now: () => Date }

export function createOwnerZone({ database, logger, now }: OwnerZoneDeps): OwnerZone {
  const repo = createOwnerZoneRepo(database)
  let row: OwnerZoneRow | null = null
  const refresh = () =>
    void load().catch((error: unknown) => logger.warn({ err: error }, 'time zone not loaded'))
  const unlisten = database.notifications.listen(channel, refresh, refresh)
  const zone = () => row?.time_zone ?? machineZone()

  return {
    calendar: { now, zone },
    describe: () => ({ time_zone: zone(), set_by: row?.set_by ?? 'server' }),
    async set(given) {
      if (!isTimeZone(given.time_zone))
        throw invalid(`time_zone: ${given.time_zone} is not a known time zone.`)
      await repo.save(given)
      await load()
      database.notifications.notify(channel, '')
    },
    load,
    close: unlisten,
  }

  async function load(): Promise<void> {
    const stored = await repo.find()
    // A name of another release's time zone data would fail at each use.
    row = stored && isTimeZone(stored.time_zone) ? stored : null
  }
}
