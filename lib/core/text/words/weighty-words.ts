// Words that change what a sentence says when they are left out or put in: negations, modals and numbers, in the
// languages of the offline companion's readers, and the names of a source.

const negations =
  'no not none never neither nor nothing nobody nowhere without cannot hardly ' +
  'nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder ' +
  'ne pas jamais aucun aucune sans rien ni non nunca jamás ningún ninguna nada nadie sin ' +
  'senza nessuno nessuna niente niet geen nooit zonder niets'
const limits = 'unless except only noch ausser nur personne sauf mai'
const modals =
  'may might must shall should can could will would need ought always ' +
  'muss müssen musst darf dürfen kann können soll sollen sollte sollten wird werden würde immer ' +
  'doit doivent peut peuvent devra pourra toujours debe deben puede pueden siempre deve devono può possono sempre ' +
  'moet moeten mag mogen kan kunnen zal zullen altijd'
const numbers =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half ' +
  'double twice eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig hundert tausend ' +
  'deux trois quatre cinq sept huit neuf dix cent mille dos tres cuatro cinco siete ocho nueve diez cien mil'

const negating: ReadonlySet<string> = new Set(negations.split(' '))
const weighty: ReadonlySet<string> = new Set(`${negations} ${limits} ${modals} ${numbers}`.split(' '))

/** Whether the word, lower-case, says that something is not so. */
export const isNegation = (word: string): boolean => negating.has(word) || /n't$/.test(word)

/** Whether leaving the word out, or putting it in, may change what is said; `names` as in `namesIn`. */
export const isWeighty = (word: string, names: ReadonlySet<string>): boolean =>
  weighty.has(word) ||
  /\p{N}|\p{Sc}|%/u.test(word) ||
  /n't$/.test(word) ||
  names.has(word) ||
  names.has(word.replace(/'s$/, ''))
