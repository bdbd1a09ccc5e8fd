// Wall-clock times in an IANA time zone, by the zone data of `Intl`. Runs in the browser and on the server.

/** `day` YYYY-MM-DD, `time` HH:MM:SS, as a clock on the wall shows it. */
export type WallTime = { day: string; time: string }

export const dayMs = 86_400_000

/** The time zone of this machine: `TZ` on a server, the reader's in a browser. */
export const machineZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** True for a name of the IANA database that this machine has; false for an offset such as +02:00. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z][\w+/-]{1,63}$/i.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export function wallTime(instant: Date, zone: string): WallTime {
  const [day, time] = new Date(instant.getTime() + offsetAt(instant.getTime(), zone)).toISOString().split('T')
  return { day: day!, time: time!.slice(0, 8) }
}

/** The calendar day of an instant in a zone, YYYY-MM-DD. */
export const dayIn = (instant: Date, zone: string): string => wallTime(instant, zone).day

/** The day so many days after another, both YYYY-MM-DD. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

const maxFormats = 100
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  if (formats.size >= maxFormats) formats.clear()
  formats.set(zone, format)
  return format
}

/** Milliseconds by which clocks of a zone are ahead of UTC. */
export function offsetAt(instant: number, zone: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(formatOf(zone).format(instant)) ?? []
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return (sign === '-' ? -ahead : ahead) * 1000
}
