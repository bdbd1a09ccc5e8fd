// How Logseq names its pages by their files: `Parent___Child.md`, `Parent%2FChild.md`, `journals/2023_05_01.md`.

import { stemOf } from '../paths.ts'

const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
const monthOf = formatter({ month: 'long' })
const weekdayOf = formatter({ weekday: 'long' })

/** The names that links give to the file at a path, first the one that Logseq shows; none for a file of another name. */
export function logseqNames(path: string): string[] {
  const [, year = '', sign = '', month = '', day = ''] =
    /(?:^|\/)journals\/(\d{4})([_-]?)(\d\d)\2(\d\d)\.md$/i.exec(path.slice(-100)) ?? []
  const names = journalNames(year, month, day)
  // Obsidian names daily notes by dates, too, and shows those.
  if (names.length > 0) return sign === '_' ? names : [stemOf(path), ...names]
  const stem = stemOf(path)
  const isSpelled = /___|%[0-9a-f]{2}/i.test(stem)
  return isSpelled ? [decode(stem.replaceAll('___', '/'))] : []
}

/** A day in every format that Logseq offers for titles, but for two that differ in the order of day and month alone. */
function journalNames(year: string, month: string, day: string): string[] {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (year === '' || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return []
  const name = monthOf.format(date)
  const [short, nth] = [name.slice(0, 3), `${Number(day)}${ordinal(Number(day))}`]
  const weekday = weekdayOf.format(date)
  const numbers = [
    `${day}-${month}-${year}`,
    `${day}.${month}.${year}`,
    `${month}/${day}/${year}`,
    `${year}/${month}/${day}`,
  ]
  return [
    ...[`${short} ${nth}, ${year}`, `${name} ${nth}, ${year}`, `${year}-${month}-${day}`],
    ...[`${nth} ${short} ${year}`, `${nth} ${name} ${year}`, `${year}-${month}-${day} ${weekday}`],
    ...numbers.flatMap((each) => [`${weekday.slice(0, 3)}, ${each}`, `${weekday}, ${each}`]),
    ...numbers.slice(1),
    ...[`${year}_${month}_${day}`, `${month}_${day}_${year}`, `${year}${month}${day}`],
    `${year}年${month}月${day}日`,
  ]
}

function ordinal(day: number): string {
  if (day > 10 && day < 14) return 'th'
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name.replace(/%2f/gi, '/')
  }
}
