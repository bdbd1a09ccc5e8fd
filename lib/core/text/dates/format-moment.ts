// A day and a time of day in the words of a pattern, as Obsidian and Moment write them: `YYYY-MM-DD`, `dddd D MMMM`.

/** Where its owner is: `day` YYYY-MM-DD, `time` HH:MM. */
export type Moment = { day: string; time: string }

/** Characters of a pattern that are read; the rest is left out. */
const maxPattern = 100

/** Text in square brackets is kept as it is. */
const tokens = /\[([^\][]*)\]|YYYY|YY|MMMM|MMM|MM|M|dddd|ddd|DD|Do|D|HH|H|mm|WW|W/g

/** The moment in a pattern; letters that are no token stay. */
export function formatMoment({ day, time }: Moment, pattern: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  const [hour = '00', minute = '00'] = time.split(':')
  const name = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(date)
  const values: Record<string, () => string> = {
    YYYY: () => day.slice(0, 4),
    YY: () => day.slice(2, 4),
    MMMM: () => name({ month: 'long' }),
    MMM: () => name({ month: 'short' }),
    MM: () => day.slice(5, 7),
    M: () => String(Number(day.slice(5, 7))),
    dddd: () => name({ weekday: 'long' }),
    ddd: () => name({ weekday: 'short' }),
    DD: () => day.slice(8, 10),
    Do: () => ordinal(Number(day.slice(8, 10))),
    D: () => String(Number(day.slice(8, 10))),
    HH: () => hour,
    H: () => String(Number(hour)),
    mm: () => minute,
    WW: () => String(weekOf(date)).padStart(2, '0'),
    W: () => String(weekOf(date)),
  }
  return pattern
    .slice(0, maxPattern)
    .replace(tokens, (token, kept: string | undefined) => kept ?? values[token]?.() ?? token)
}

/** "1st", "22nd", "13th". */
function ordinal(number: number): string {
  const ending = { 1: 'st', 2: 'nd', 3: 'rd' }[number % 10]
  return `${number}${ending && Math.floor(number / 10) % 10 !== 1 ? ending : 'th'}`
}

/** By ISO 8601: the week of a year that has its first Thursday is the first. */
function weekOf(date: Date): number {
  const thursday = new Date(date)
  thursday.setUTCDate(date.getUTCDate() + 3 - ((date.getUTCDay() + 6) % 7))
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  return 1 + Math.floor((thursday.getTime() - first) / (7 * 24 * 60 * 60 * 1000))
}

/** What of a template is filled in; further ones stay as they are, so that a text cannot grow without end. */
const maxFilled = 1000

const field = /\{\{ ?(date|time|title)(?::([^{}\n]{1,100}))? ?\}\}/gi

/** A template with `{{date}}`, `{{time}}`, `{{title}}` filled in; `{{date:dddd D MMMM}}` takes a pattern. */
export function fillTemplate(text: string, { title, ...moment }: Moment & { title: string }): string {
  let filled = 0
  return text.replace(field, (whole, name: string, pattern: string | undefined) => {
    filled += 1
    if (filled > maxFilled) return whole
    if (name.toLowerCase() === 'title') return title
    return formatMoment(moment, pattern?.trim() ?? (name.toLowerCase() === 'date' ? 'YYYY-MM-DD' : 'HH:mm'))
  })
}
