// Words that change what a sentence says when they are left out or put in: negations, doubts, denials, modals and numbers,
// in the languages of the offline companion's readers, and the names of a source.

const negations =
  'no not none never neither nor nothing nobody nowhere without cannot hardly ' +
  'nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder ' +
  'ne pas jamais aucun aucune sans rien ni non nunca jamás ningún ninguna nada nadie sin ' +
  'senza nessuno nessuna niente niet geen nooit zonder niets'
const limits =
  'unless except only if whether until less fewer few little least noch ausser außer nur falls ob wenig weniger personne ' +
  'sauf si moins peu mai meno poco menos tenzij minder weinig als'
/** What takes a sentence back by half, or says that somebody else says so. */
const doubts =
  'barely scarcely rarely seldom nearly almost partly partially supposedly allegedly reportedly purportedly apparently ' +
  'seemingly ostensibly presumably possibly perhaps maybe probably likely doubtful doubtfully questionable claimed ' +
  'claims claiming rumoured rumored pretended pretends kaum selten fast beinahe teilweise angeblich vermeintlich ' +
  'mutmaßlich scheinbar anscheinend vermutlich vielleicht möglicherweise wahrscheinlich rarement presque peine ' +
  'prétendument apparemment peut-être probablement apenas raramente casi supuestamente presuntamente quizás acaso ' +
  'appena quasi presumibilmente forse nauwelijks zelden bijna zogenaamd vermoedelijk misschien'
/** What says that something was not done, or is not so. */
const denials =
  'refuse refused refuses refusing refusal fail failed fails failing failure deny denied denies denying denial decline ' +
  'declined declines declining cease ceased ceases stop stopped stops avoid avoided avoids neglect neglected forgot ' +
  'forgotten omit omitted reject rejected rejects forbid forbidden forbids forbade ban banned prohibit prohibited ' +
  'prevent prevented prevents cancel cancelled canceled revoked withdrew withdrawn lack lacks lacked lacking missing ' +
  'absent against false falsely fake wrong wrongly incorrect incorrectly invalid impossible improbable improper ' +
  'illegal illegitimate irrelevant irregular irresponsible inaccurate inadequate incapable incomplete inconsistent ' +
  'ineffective inefficient infrequent insecure insufficient insignificant intolerable impractical imperfect ' +
  'contrary opposite instead discontinued discredited disclaimed discouraged disproved disputed distrust distrusted ' +
  'dishonest mistaken mistrust verweigert verweigerte weigert weigerte weigerten abgelehnt lehnte versäumt versäumte ' +
  'leugnet leugnete verboten falsch refusé refuse refusa nié échoué faux fausse interdit negó rehusó falso falsa ' +
  'prohibido rifiutò negato vietato weigerde geweigerd ontkende onjuist verboden'
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

const weighty: ReadonlySet<string> = new Set(
  `${negations} ${limits} ${doubts} ${denials} ${modals} ${numbers}`.split(' '),
)

/** “unsafe”, “untrue”, “unwahr”, “distrust”; “under” and “unit” deny nothing. */
const prefixed =
  /^(?!un(?:der|ter|ser|sr|it|if|iv|io|iq|ic|til|to|cle|an)|dis(?:c|h|k|t|p|mal)|none|nonn|mis(?:s|t|er|c))(?:un|dis|non|mis)\p{L}{3,}/u

/** Whether leaving the word out, or putting it in, may change what is said; `names` as in `namesIn`. */
export const isWeighty = (word: string, names: ReadonlySet<string>): boolean =>
  weighty.has(word) ||
  prefixed.test(word) ||
  /\p{N}|\p{Sc}|%/u.test(word) ||
  /n't$/.test(word) ||
  names.has(word) ||
  names.has(word.replace(/'s$/, ''))
