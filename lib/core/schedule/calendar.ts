// What day it is, and what time: where the owner is. Everything that depends on a day asks here.

import { dayIn, machineZone, type WallTime, wallTime } from './zoned.ts'

/** A clock and the time zone that it is read in. */
export type Calendar = {
  now: () => Date
  /** The owner's IANA time zone; the machine's (`TZ`) as long as the owner's is unknown. */
  zone: () => string
}

export const machineCalendar = (now: () => Date): Calendar => ({ now, zone: machineZone })

/** YYYY-MM-DD. */
export const today = ({ now, zone }: Calendar): string => dayIn(now(), zone())

/**
 * A date whose local fields, such as `getHours`, are the wall-clock time in a zone. For parsers that read days in words
 * with the machine's own fields; as an instant it means nothing.
 */
export function asLocalFields(instant: Date, zone: string): Date {
  const { day, time } = wallTime(instant, zone)
  return new Date(`${day}T${time}`)
}

/** The wall-clock time that the local fields of a date are. */
export function fromLocalFields(date: Date): WallTime {
  const two = (number: number) => String(number).padStart(2, '0')
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  const year = String(date.getFullYear()).padStart(4, '0')
  return { day: `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`, time }
}
