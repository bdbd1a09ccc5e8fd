// How Logseq names its pages by their files: `Parent___Child.md`, `Parent%2FChild.md`, `journals/2023_05_01.md`.

import { stemOf } from '../paths.ts'

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** The names that links give to the file at a path, first the one that Logseq shows; none for a file of another name. */
export function logseqNames(path: string): string[] {
  const [, year, month = '', day = ''] =
    /(?:^|\/)journals\/(\d{4})_(\d\d)_(\d\d)\.md$/i.exec(path.slice(-100)) ?? []
  const name = months[Number(month) - 1]
  if (year && name) {
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

function decode(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name.replace(/%2f/gi, '/')
  }
}
