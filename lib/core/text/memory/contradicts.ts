// Whether a statement says otherwise than an older one: another value for what takes one, another number, or no for yes.
// What may hold beside the older one contradicts nothing: who likes tea may like coffee, too. Takes time in proportion
// to the statements.

import { contentStems } from '../words/content-words.ts'
import { denies, wordsIn } from './statements.ts'

/** What takes one value: who lives or works somewhere else now, no longer lives or works where they did. */
const single = new Set(
  `is are am was were live lives work works start starts end ends begin begins open opens close closes cost costs called named
  prefer prefers run runs weigh weighs call answer reply respond ist sind bin heißt heiße wohnt wohne arbeitet arbeite kostet
  bevorzuge est suis sommes habite travaille appelle préfère coûte es soy son vive vivo trabaja trabajo llama llamo prefiero
  cuesta è sono abito abita lavoro lavora chiama chiamo preferisco costa sou é moro mora trabalho trabalha chama chamo prefiro
  woon woont werk werkt heet kost bor jobbar heter jobber hedder mieszkam mieszka pracuję nazywa jestem живу живёт живет
  работаю работает зовут 住 叫 是 在`.split(/\s+/),
)
const copulas = new Set('am is are bin sind suis sommes soy somos sono sou ben är er jestem 是'.split(' '))
const pronouns = new Set('i we ich wir je nous yo io eu ik jag jeg ja я 我 私'.split(' '))
const prepositions = new Set(
  `in at on for from to with by near under over as bei zu nach mit à en dans de con a em på i w v в на 在 に`.split(
    /\s+/,
  ),
)
const articles = new Set(
  'a an the my our their his her your ein eine der die das un une le la el los las um uma een en ett'.split(
    ' ',
  ),
)
const participles = new Set('called named'.split(' '))
/** What one may be of several things at once. */
const ofMany = new Set(
  `allergic interested fond good bad great afraid scared responsible fluent skilled involved friend friends fan member open
  closed available free allergisch interessiert verantwortlich allergique alérgico alérgica`.split(/\s+/),
)
/** When, where a name says where. */
const times = new Set(
  'night nights day days home weekend weekends morning mornings evening evenings'.split(' '),
)
const recurring = /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?|summer|winter)$/
/** That it is so by now. */
const byNow = new Set(
  `now currently nowadays presently actually these jetzt nun momentan derzeit maintenant désormais ahora actualmente ora adesso
  agora nu teraz теперь сейчас longer anymore mehr plus más`.split(/\s+/),
)
const numerals = new Map(
  [
    'two zwei deux dos',
    'three drei trois tres',
    'four vier quatre cuatro',
    'five fünf cinq cinco',
    'six sechs seis',
  ]
    .concat(['seven sieben sept siete', 'eight acht huit ocho', 'nine neun neuf nueve', 'ten zehn dix diez'])
    .flatMap((names, at) => names.split(' ').map((name) => [name, String(at + 2)] as const)),
)
const feelings = new Map([
  ...['love', 'enjoy', 'adore'].map((verb) => [verb, 'like'] as const),
  ...['hate', 'dislike', 'loathe'].map((verb) => [verb, 'not like'] as const),
])
const scripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

const maxValue = 6
const maxCharacters = 12

/** Whether a statement gives another value for what the older one is on, or denies it. */
export function contradicts(newer: string, older: string): boolean {
  const [one, other] = [plainWords(newer), plainWords(older)]
  if (one.join(' ') === other.join(' ')) return false
  if (denies(one.join(' ')) !== denies(other.join(' '))) return isDenied(one, other)
  return hasOtherValue(one, other) || hasOtherNumber(one, other)
}

/** Without what says that it is so by now; of scripts without blanks, the characters. */
function plainWords(statement: string): string[] {
  const text = wordsIn(statement)
    .map((word) =>
      word.replace(/^(\p{L}+)'m$/u, '$1 am').replace(/^(j|l|d|s|m|n|t|c|qu)'(?=\p{L}{2})/u, '$1 '),
    )
    .map((word) => numerals.get(word) ?? feelings.get(word) ?? word)
    .join(' ')
    .replace(/^(i|we)(?:'ve| have)? moved to /, '$1 live in ')
  return text
    .split(' ')
    .filter((word) => !byNow.has(word))
    .flatMap((word) => (scripts.test(word) ? Array.from(word) : [word]))
}

const negations = /^(?:[不没沒]|は)$/

function isDenied(one: readonly string[], other: readonly string[]): boolean {
  const without = (words: readonly string[]) => words.filter((word) => !negations.test(word)).join(' ')
  if (without(one) === without(other)) return true
  const [stems, others] = [one, other].map((words) => contentStems(words.join(' '), deniers)) as [
    Set<string>,
    Set<string>,
  ]
  const shared = [...stems].filter((each) => others.has(each)).length
  const least = Math.min(stems.size, others.size)
  return least > 0 && shared === least && Math.abs(stems.size - others.size) <= 1
}

const deniers = new Set('don doesn isn не нет nie niet geen inte ikke não nao non ne pas'.split(' '))

/** The same words but for a value, with a verb before it, or behind it where verbs come last. */
function hasOtherValue(one: readonly string[], other: readonly string[]): boolean {
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const [a, b] = [one.slice(same), other.slice(same)]
  const end = commonEnd(a, b)
  const [value, before] = [a.slice(0, a.length - end), b.slice(0, b.length - end)]
  const shared = one.slice(0, same)
  const behind = a.slice(a.length - end)
  if (value.length === 0 || before.length === 0 || shared.length === 0) return false
  const max = scripts.test(value[0]!) ? maxCharacters : maxValue
  if (value.length > max || before.length > max) return false
  const verb = shared.findLastIndex((word) => single.has(word))
  if (verb === -1) return isVerbLast(shared, behind)
  if (shared.length < 2 || shared.length - verb > 3) return false
  if (shared.slice(verb + 1).some((word) => ofMany.has(word))) return false
  return isOneKind(value, before, shared) && !mayBeBoth(value, before, shared.slice(0, verb + 1))
}

/** “ich in Oslo wohne”, “私はオスロに住んでいる”. */
const isVerbLast = (shared: readonly string[], behind: readonly string[]): boolean =>
  behind.some((word) => single.has(word)) &&
  (prepositions.has(shared.at(-1)!) || scripts.test(shared.at(-1)!))

function isOneKind(value: readonly string[], before: readonly string[], shared: readonly string[]): boolean {
  if (tailOf(value) !== tailOf(before)) return false
  return kindOf(value[0]!, shared.at(-1)!) === kindOf(before[0]!, shared.at(-1)!)
}

/** What is said of when or of whom behind a value: another one may hold beside it. */
function tailOf(value: readonly string[]): string {
  const at = value.findIndex((word, index) => index > 0 && prepositions.has(word))
  if (at === -1 || scripts.test(value[0]!)) return ''
  const next = value[at + 1] ?? ''
  return recurring.test(next) ? next : 'a tail'
}

/** Of what kind a value is by its first word. Behind a preposition that both share, names are of one. */
function kindOf(word: string, last: string): string {
  if (prepositions.has(last)) return times.has(word) ? 'time' : 'place'
  if (/\p{N}/u.test(word)) return 'number'
  if (prepositions.has(word) || participles.has(word)) return word
  return articles.has(word) ? 'article' : 'other'
}

/** “I am a father”, “I am a sailor”: but for two words alike, such as left-handed and right-handed. */
function mayBeBoth(value: readonly string[], before: readonly string[], head: readonly string[]): boolean {
  const isOfSelf = head.length === 2 && pronouns.has(head[0]!) && copulas.has(head[1]!)
  if (!isOfSelf || prepositions.has(value[0]!) || /\p{N}/u.test(value[0]!)) return false
  const [one, other] = [value.at(-1)!, before.at(-1)!]
  return one.slice(0, 3) !== other.slice(0, 3) && one.slice(-4) !== other.slice(-4)
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  let end = 0
  while (end < Math.min(one.length, other.length) && one.at(-1 - end) === other.at(-1 - end)) end += 1
  return end
}

/** The same words but for one of the numbers. */
function hasOtherNumber(one: readonly string[], other: readonly string[]): boolean {
  const isNumber = (word: string) => /\p{N}/u.test(word)
  const [words, others] = [one, other].map((all) => all.filter((word) => !isNumber(word)).join(' '))
  const [numbers, before] = [one.filter(isNumber), other.filter(isNumber)]
  if (words !== others || words === '' || numbers.length === 0 || before.length === 0) return false
  const differ = numbers.filter((number, at) => number !== before[at]).length
  return numbers.length === before.length && numbers.length > 1
    ? differ === 1
    : numbers.join() !== before.join()
}
