/** A day (YYYY-MM-DD) in words, by these parts. */
export const dayWords = (day: string, parts: Intl.DateTimeFormatOptions = whole): string =>
  new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

const whole: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }
