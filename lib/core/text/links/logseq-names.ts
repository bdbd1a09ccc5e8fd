// How Logseq names its pages by their files: `Parent___Child.md`, `Parent%2FChild.md`, `journals/2023_05_01.md`.

import { stemOf } from '../paths.ts'
import { decode } from './read-destination.ts'

/** The names that links give to the file at a path, first the one that Logseq shows; none for a file of another name. */
export function logseqNames(path: string): string[] {
  const [, year, month = '', day = ''] =
    /(?:^|\/)journals\/(\d{4})_(\d\d)_(\d\d)\.md$/i.exec(path.slice(-100)) ?? []
  const date = new Date(`${year}-${month}-${day}`)
  if (year && !Number.isNaN(date.getTime())) {
    const name = date.toLocaleDateString('en-US', { month: 'long', timeZone: 'UTC' })
    const rest = `${Number(day)}${ordinal(Number(day))}, ${year}`
    return [`${name.slice(0, 3)} ${rest}`, `${name} ${rest}`, `${year}-${month}-${day}`]
  }
  const stem = stemOf(path)
  const isSpelled = /___|%[0-9a-f]{2}/i.test(stem)
  return isSpelled ? [decode(stem.replaceAll('___', '/'))] : []
}

function ordinal(day: number): string {
  if (day > 10 && day < 14) return 'th'
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'
}
