import { dayMs, offsetAt, type WallTime } from './zoned.ts'

/**
 * The instant at which clocks show a time. One that is skipped when clocks go forward is read with the offset before the
 * change, so that 02:30 becomes 03:30; of one that comes twice, the first. As Temporal's "compatible".
 */
export function instantAt({ day, time }: WallTime, zone: string): Date {
  const wall = Date.parse(`${day}T${time}Z`)
  const [before, after] = [offsetAt(wall - dayMs, zone), offsetAt(wall + dayMs, zone)]
  const real = [wall - before, wall - after].filter((instant) => instant + offsetAt(instant, zone) === wall)
  return new Date(real.length > 0 ? Math.min(...real) : wall - before)
}

/** The first instant of a day. */
export const startOfDay = (day: string, zone: string): Date => instantAt({ day, time: '00:00:00' }, zone)
