import type { Moment } from '../../../lib/core/text/dates/format-moment.ts'
import { localDay } from '../../ui/time.ts'

/** The day and the time of day where the reader is. */
export function localMoment(now: Date): Moment {
  const two = (number: number) => String(number).padStart(2, '0')
  return { day: localDay(now), time: `${two(now.getHours())}:${two(now.getMinutes())}` }
}
