import type { Logger } from '../../core/logger.ts'
import type { Database } from '../../db/pool.ts'
import { backUp, listBackups, pruneBackups } from './back-up.ts'

export type NightlyBackupOptions = {
  database: Pick<Database, 'pool' | 'engine'>
  folder: string
  target: string
  keep: number
  logger: Logger
  now: () => Date
  /** Milliseconds between two looks whether a backup is due. */
  everyMs?: number
}

const hourMs = 60 * 60 * 1000
const atHour = 3

/**
 * Backs up once a day, at the first look after three in the night (or when the server was off then, at the first look
 * after its start). A backup that fails is logged and tried again at the next look. The function returned ends it.
 */
export function startNightlyBackup(options: NightlyBackupOptions): () => Promise<void> {
  const { logger, now, target } = options
  let last: Promise<void> = Promise.resolve()

  const look = () => {
    last = last.then(async () => {
      try {
        if (!(await isDue(target, now()))) return
        const file = await backUp({ ...options, now: now() })
        await pruneBackups(target, options.keep)
        logger.info({ file }, 'backed up')
      } catch (error) {
        logger.error({ err: error }, 'backup failed')
      }
    })
  }
  look()
  const timer = setInterval(look, options.everyMs ?? hourMs)
  return async () => {
    clearInterval(timer)
    await last
  }
}

/** Whether there is no backup since the last three in the night, by the local clock. */
export async function isDue(target: string, now: Date): Promise<boolean> {
  const newest = (await listBackups(target)).at(-1)
  if (!newest) return true
  const night = new Date(now)
  night.setHours(atHour, 0, 0, 0)
  if (night > now) night.setDate(night.getDate() - 1)
  return timeOf(newest) < night
}

function timeOf(name: string): Date {
  const [, year, month, day, hour, minute, second] =
    /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(name) ?? []
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
