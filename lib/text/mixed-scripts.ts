// Names that are made to be taken for others. After Unicode UTS 39: letters of another script among Latin ones, a
// word that only looks Latin, and letters that are Latin ones in disguise (full-width, mathematical).

// Those letters of Cyrillic, Greek and Armenian that are drawn like a Latin letter in common fonts (UTS 39, confusables).
const lookAlike = /^[асԁеһіјӏорԛѕтуѵԝхАВЕНІЈКМОРЅТХҮѴԜԚαγιкνορυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧհոօսցզգѐёЁїЇỿᴄᴏᴠᴡᴢ]$/u
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
      return others.some((letter) => lookAlike.test(letter)) || !isGreek(others)
    return (
      others.length > 2 &&
      (hasLatin || !text.includes(' ')) &&
      others.every((letter) => lookAlike.test(letter))
    )
  })
}

// "Δt" and "μm" are how people write; a Cyrillic letter within a Latin word is not.
const isGreek = (letters: readonly string[]) => letters.every((letter) => /\p{Script=Greek}/u.test(letter))
