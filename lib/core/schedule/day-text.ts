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
