/** A name as a slug: ‘Café & Bar’ → `cafe-bar`; empty where it has no usable letter. */
export const slugOf = (name: string, maxLength: number): string => dashed(name, /[^a-z0-9]+/g, maxLength)

/** The same with the letters of all scripts: ‘週報 2’ → `週報-2`. */
export const wideSlugOf = (name: string, maxLength: number): string =>
  dashed(name, /[^\p{L}\p{M}\p{N}]+/gu, maxLength)

const dashed = (name: string, others: RegExp, maxLength: number): string =>
  name
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(others, '-')
    .replace(/^-/, '')
    .slice(0, maxLength)
    .toWellFormed()
    .replace(/[-�]$/, '')

/** Latin letters that are no letter with a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
}
