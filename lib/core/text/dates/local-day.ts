/** The calendar day of a time as YYYY-MM-DD, in the time zone of the machine: the reader's in a browser, `TZ` on a server. */
export function localDay(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}
