// What a day is: from midnight to midnight where the server is (its TZ), however long that is when clocks change.

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The midnight that a time comes after, `days` later. */
export function midnight(time: Date, days = 0): Date {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() + days)
}

/** As YYYY-MM-DD. */
export function dayOf(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

/** The midnight that a YYYY-MM-DD begins with. */
export function startOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date)
}
