// What a text is about: its words without those that say how something is said. Postgres leaves out its own stop words
// when it ranks; this list is for what has no database at hand.

import { stem, wordsOf } from './words.ts'

const english = `a about after again all also am an and any anything are as at be because been before being but by can could
did do does doing don down for from give go had has have having he her here hers him his how i if in into is it its just
kind know let like may me might mine more most much must my need no not now of off ok on one only or other our out over
please shall she should so some something sort tell than that the their them then there these they thing things this those
through to too under until up us very want was we were what whats when where which while who whom whose why will with
without would yes you your yours im ive id ill s t re ve ll d m exactly actually really thanks hello hi hey ever
anyone someone many many happen happens explain describe list find show search look looking get gets got getting goes going gone went come
comes take takes make makes making put puts use using uses used between same own still never always way ways there
stay thing within yet each every`

const german = `aber alle allem allen aller alles als am an auch auf aus bei beim bin bis bist da damit dann das dass dein
deine dem den der des die dies diese dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch fur
gegen gibt hab habe haben hat hatte ich ihr ihre im in ins ist ja jede jeder jedes kann kannst konnen man mein meine meinem
meinen meiner mich mir mit muss nach nicht noch nun nur ob oder ohne sagt schon sehr seid sein seine sich sie sind so soll
steht uber um und uns unser unsere unter vom von vor wann war warum was weil welche welcher welches wenn wer wem wen werden
wie wieso wird wir wo woher wohin worden zu zum zur zwischen bitte danke hallo mache machen passiert`

const french = `au aux avec ce ces cet cette comment combien dans de des dit du elle en est et etre eu il ils je la le les
leur lui ma mais me meme mes moi mon ne nos notre nous on ou ou par pas pour pourquoi quand que quel quelle quelles quels
qui quoi sa se ses son sont sur ta te tes toi ton tu un une vos votre vous c d j l m n qu s t y a ai as ont suis faire fait
puis peux peut dois doit bonjour merci faut il`

// Spanish, Italian, Portuguese, Dutch, Swedish, Danish and Norwegian.
const others = `el la los las un una unos unas y o de del al en con por para que como cuando donde cuanto cuanta cual quien es son esta
  estan hay mi tu su se lo le me te nos ya no si muy mas pero puede puedes hacer tengo tiene il lo gli uno una e di da in
  con su per tra che come quando dove quanto quale chi sono sta stanno mio mia tuo suo ci si non ho hai ha puoi fare um uma
  os as do da dos das em no na nos nas com por para que como quando onde quanto qual quem sao esta meu minha seu nao tem
  pode fazer een het van op aan met voor door over naar uit bij dat die dit deze wie wat waar wanneer hoe hoeveel welke is
  zijn wordt heeft kan kun moet mijn jouw onze niet en och att det den de som pa av for med till om ar vi hur vad nar var
  vem vilken kan ska min din inte har`

/** Characters of a text that are read. */
const maxChars = 20_000

/** The words of a text without stop words, nor `others`. */
export function contentWords(text: string, others?: ReadonlySet<string>): string[] {
  const read = text.slice(0, maxChars)
  const names = abbreviationsIn(read)
  return wordsOf(read).filter((word) => (!stopWords.has(word) || names.has(word)) && !others?.has(word))
}

/** In capitals among small letters, PARA is no Spanish word and WHO no question; AND and NOT are only stressed. */
function abbreviationsIn(text: string): ReadonlySet<string> {
  const shouted = /\p{Ll}/u.test(text)
    ? (text.match(/(?<![\p{L}\p{N}])\p{Lu}{2,}(?![\p{L}\p{N}])/gu) ?? [])
    : []
  return new Set(shouted.flatMap(wordsOf).filter((word) => !stressed.has(word)))
}

/** The stems of a text's words. */
export const stemsOf = (text: string): Set<string> => new Set(wordsOf(text.slice(0, maxChars)).map(stem))

/** The stems of its content words. */
export const contentStems = (text: string, others?: ReadonlySet<string>): Set<string> =>
  new Set(contentWords(text, others).map(stem))

/** Words that say how something is asked and not what about: lower-case and without accents, as `wordsOf` gives them. */
const stopWords: ReadonlySet<string> = new Set(`${english} ${german} ${french} ${others}`.split(/\s+/))
const stressed: ReadonlySet<string> = new Set(
  english.split(/\s+/).filter((word) => !['it', 'us', 'who'].includes(word)),
)
