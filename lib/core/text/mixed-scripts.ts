// Names that are made to be taken for others. After Unicode UTS 39: letters of another script among Latin ones, a
// word that only looks Latin, and letters that are Latin ones in disguise (full-width, mathematical).

// Those letters of Cyrillic, Greek and Armenian that are drawn like a Latin letter in common fonts (UTS 39,
// confusables), each with that letter.
const lookAlikes = new Map(
  [
    'аa сc ԁd еe һh іi јj ӏl оo рp ԛq ѕs тt уy ѵv ԝw хx АA ВB ЕE НH ІI ЈJ КK МM ОO',
    'РP ЅS ТT УY ХX ҮY ѴV ԜW ԚQ αa γy ιi кk νv οo ρp υu χx ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN',
    'ΟO ΡP ΤT ΥY ΧX հh ոn օo սu ցg զq գq ѐe ёe ЁE їi ЇI ỿy ᴄc ᴏo ᴠv ᴡw ᴢz',
  ]
    .join(' ')
    .split(' ')
    .map(([other = '', latin = '']) => [other, latin]),
)
const otherScript =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u
const disguised = /[\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}\u24b6-\u24e9]/u

/** Whether a word of the text mixes scripts that look alike, or is made of look-alikes only. */
export function mixesScripts(text: string): boolean {
  if (disguised.test(text)) return true
  if (!otherScript.test(text)) return false
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? []
  const hasLatin = words.some((word) => /\p{Script=Latin}/u.test(word))
  const isOther = (letter: string) => otherScript.test(letter)
  return words.some((word) => {
    const others = [...word].filter(isOther)
    if (others.length === 0) return false
    if (/\p{Script=Latin}/u.test(word))
      return others.some((letter) => lookAlikes.has(letter)) || !isGreek(others)
    return (
      others.length > 2 &&
      (hasLatin || !text.includes(' ')) &&
      others.every((letter) => lookAlikes.has(letter))
    )
  })
}

// "Δt" and "μm" are how people write; a Cyrillic letter within a Latin word is not.
const isGreek = (letters: readonly string[]) => letters.every((letter) => /\p{Script=Greek}/u.test(letter))

/**
 * What a text looks like, for comparing names (after the skeleton of UTS 39): the letters and digits alone, without
 * accents, in lower case, look-alikes as the Latin letter, and one letter for those that are drawn much the same.
 * Not for display.
 */
export const lookOf = (text: string): string =>
  [...text.normalize('NFKD')]
    .map((letter) => lookAlikes.get(letter) ?? letter)
    .join('')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}|]/gu, '')
    .replace(/[il1|ı]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')

/** The text with look-alikes as the Latin letter in each word that mixes them with Latin letters. */
export const latinForm = (text: string): string =>
  otherScript.test(text)
    ? text.replace(/[\p{L}\p{M}]+/gu, (word) =>
        /\p{Script=Latin}/u.test(word) && otherScript.test(word)
          ? [...word].map((letter) => lookAlikes.get(letter) ?? letter).join('')
          : word,
      )
    : text
