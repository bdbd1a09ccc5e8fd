/** A calendar day, YYYY-MM-DD, as people write it: "1 Dec 2026". Returns any other text as it is. */
export function dayText(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? day : format.format(date)
}

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A moment where somebody is, as people write it: "1 Dec 2026, 15:00"; `full`: "Tuesday, 1 December 2026 at 15:00". */
export const momentText = (iso: string, timeZone: string, dateStyle: 'full' | 'medium' = 'medium'): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle, timeStyle: 'short', timeZone }).format(new Date(iso))
