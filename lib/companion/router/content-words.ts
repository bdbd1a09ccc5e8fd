import { stem } from '../../ai/offline/questions/stem.ts'
import { stopWords } from '../../ai/offline/questions/stop-words.ts'
import { wordsOf } from '../../search/words.ts'

// Beside the stop words of English, German and French: those of the other languages that a conversation may be in, and
// words that say how somebody talks to a companion rather than what about.
const moreStopWords = new Set(
  `el la los las un una unos unas y o de del al en con por para que como cuando donde cuanto cuanta cual quien es son esta
  estan hay mi tu su se lo le me te nos ya no si muy mas pero puede puedes hacer tengo tiene il lo gli uno una e di da in
  con su per tra che come quando dove quanto quale chi sono sta stanno mio mia tuo suo ci si non ho hai ha puoi fare um uma
  os as do da dos das em no na nos nas com por para que como quando onde quanto qual quem sao esta meu minha seu nao tem
  pode fazer een het van op aan met voor door over naar uit bij dat die dit deze wie wat waar wanneer hoe hoeveel welke is
  zijn wordt heeft kan kun moet mijn jouw onze niet en och att det den de som pa av for med till om ar vi hur vad nar var
  vem vilken kan ska min din inte har tell remind draft create add write make update change task page note question answer
  today tomorrow yesterday week month year day time first last next new old still`.split(/\s+/),
)

/** The stems of the words that say what a text is about. In a script without spaces these are pairs of characters. */
export function contentWords(text: string): Set<string> {
  const words = wordsOf(text.slice(0, 4000)).filter(
    (word) => word.length > 1 && !stopWords.has(word) && !moreStopWords.has(word),
  )
  return new Set(words.map(stem))
}

/** Whether two stems are likely one word: the same, of one beginning, or one a part of the other (compounds). */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < 5 || /\d/.test(short)) return false
  return long.startsWith(short.slice(0, Math.max(5, short.length - 2))) || long.endsWith(short)
}
