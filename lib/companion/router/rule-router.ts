// The router without a model: it counts the words that a message shares with each conversation's title and summary, and
// looks at the time that has passed. In doubt it begins a new thread: what was put where it does not belong costs more
// than a thread of its own, which one key joins.

import { contentStems } from '../../core/text/words/content-words.ts'
import { emojiSource, isSameWord, withoutAccents } from '../../core/text/words/words.ts'
import type { Choice, Router, RouterAnswer, RoutingCase, Thread } from './router.ts'

const minuteMs = 60_000
/**
 * Of the words of a message: fewer that its conversation knows are a coincidence. One in three is enough within `warmMs` of
 * what was said last. Chosen on turns.json: at one in three throughout, 13 of 495 came where they do not belong, so 10.
 */
const minWarmShare = 0.3
const minColdShare = 0.34
const warmMs = 10 * minuteMs
/** Within this time one word that nothing is known of may still belong to what was just said. */
const freshMs = 3 * minuteMs
/** After this time even a short message that nothing is known of begins something new. */
const coldMs = 6 * 60 * minuteMs

export const ruleRouter: Router = {
  by: 'rules',
  model: null,
  async route(known) {
    return decide(known)
  },
}

const emoji = new RegExp(emojiSource, 'gu')
/** Characters of a text that are read. */
const maxTopicChars = 4000
/** Words that say how somebody talks to a companion rather than what about. */
const talkWords = new Set(
  `tell remind draft create add write make update change plan compare suggest explain recommend task page note question answer
  long far high big old hoch lang weit gross alt cost costs price much kostet kosten preis coute coutent prix cuesta cuestan precio
  wait hold moment attends attendez espera
  today tomorrow yesterday week month year day time first last next new old still`.split(/\s+/),
)

/** The stems of the words that say what a text is about. In a script without spaces these are pairs of characters. */
const topicOf = (text: string): string[] =>
  [...contentStems(text.slice(0, maxTopicChars).replace(emoji, ' '), talkWords)].filter(
    (word) => word.length > 1,
  )

/** How much of a message a conversation knows. */
type Match = { id: string; score: number; share: number }

/** What this Space knows comes first; else two words of a conversation of another one, or one that it comes back to. */
function decide(known: RoutingCase): RouterAnswer {
  const { message, others } = known
  const own = decideWithin({ ...known, others: others.filter(({ space }) => space === undefined) })
  const elsewhere = others.filter(({ space }) => space !== undefined)
  if (own.reason === 'shared_words' || elsewhere.length === 0) return own
  const words = topicOf(message)
  const matches = matchAll(words, ['', ...elsewhere.map(textOf)], elsewhere).slice(1)
  const best = clearest(matches, words.length, message)
  const isNamed = best && (best.score >= 1.4 || comesBackTo(message))
  return isNamed ? say({ choice: 'resume', id: best.id }, 'shared_words') : own
}

function decideWithin(known: RoutingCase): RouterAnswer {
  const { message, active, others, now } = known
  const words = topicOf(message)
  const [own, ...matches] = matchAll(words, [textOfActive(active), ...others.map(textOf)], others)
  const best = clearest(matches, words.length, message)
  const ownScore = own?.score ?? 0

  if (best && best.score >= ownScore + (ownScore > 0 ? 1.4 : 0))
    return say({ choice: 'resume', id: best.id }, 'shared_words')
  if (turnsToOther(message)) return say({ choice: 'new' }, 'other_topic')
  if (!active) return say({ choice: 'new' }, 'none_active')
  const age = now.getTime() - Date.parse(active.last_activity_at)
  const minShare = age <= warmMs ? minWarmShare : minColdShare
  if (ownScore > 0 && (own!.share >= minShare || pointsBack(message)))
    return say({ choice: 'continue' }, 'shared_words')
  // A first word such as "so" or "actually" begins a new subject as often as it goes on: it says something of "and the
  // rent?", and nothing of a sentence with a subject of its own.
  const isFollowUp = startsLikeFollowUp(message)
  const isStrange = words.length >= (isFollowUp || age <= freshMs ? 2 : 1) && !pointsBack(message)
  if (isStrange || (words.length >= 1 && age > coldMs)) return say({ choice: 'new' }, 'nothing_shared')
  return say({ choice: 'continue' }, isFollowUp ? 'follow_up' : 'not_clear')
}

const say = (choice: Choice, reason: string): RouterAnswer => ({ choice, reason, answer: null })

const textOf = ({ title, summary }: Thread) => `${title} ${summary}`

const textOfActive = (active: RoutingCase['active']) =>
  active ? `${textOf(active)} ${active.last_question ?? ''} ${(active.last_answer ?? '').slice(0, 1000)}` : ''

/** The active conversation's match first. A word that several conversations share hardly distinguishes them. */
function matchAll(words: readonly string[], texts: string[], others: readonly Thread[]): Match[] {
  const known = texts.map(topicOf)
  const holders = words.map((word) =>
    known.map((stems) => stems.some((each) => isSameWord(word, each, { compounds: true }))),
  )
  return known.map((_, place) => {
    const held = holders.filter((row) => row[place])
    const score = held.reduce((sum, row) => sum + 1 / row.filter(Boolean).length, 0)
    const id = place === 0 ? '' : (others[place - 1]?.id ?? '')
    return { id, score, share: words.length === 0 ? 0 : held.length / words.length }
  })
}

/**
 * The one that stands out: two words of its own, or a short message's only ones. Coming back, one word will do; a
 * message that points at what was just said needs two.
 */
function clearest(matches: Match[], size: number, message: string): Match | null {
  const [best, second] = matches.toSorted((a, b) => b.score - a.score)
  if (!best || best.score - (second?.score ?? 0) < 0.5) return null
  if (best.score >= 1.4) return best
  const oneWordWillDo = comesBackTo(message) || (size <= 3 && best.share >= 0.5 && !pointsBack(message))
  return best.score >= 0.9 && oneWordWillDo ? best : null
}

// What a message says about its own place, in the first words of several languages: that it goes on, that it turns to
// something else, that it comes back to something. Read from text without accents, in lower case.

/** Whether a message goes on from what was just said: "and the rent?", "why?", "shorter, please". */
export function startsLikeFollowUp(message: string): boolean {
  const text = plain(message)
  return followUp.test(text) && !turnsAway.test(text) && !comesBack.test(text)
}

/** Whether it points at something that was said before without naming it: "is it still open?". */
export const pointsBack = (message: string): boolean => pointer.test(plain(message))

/** Whether it says that it is about something else. */
export const turnsToOther = (message: string): boolean => turnsAway.test(plain(message))

/** Whether it says that it comes back to something. */
export const comesBackTo = (message: string): boolean => comesBack.test(plain(message))

/** Whether it answers what was asked last: it says something and asks for nothing. */
export function answersQuestion(message: string, lastAnswer: string | null): boolean {
  const asked = /[?？؟]["'”’»)*_\s]*$/u.test((lastAnswer ?? '').slice(-maxChars))
  const text = plain(message)
  return asked && !/[?？؟]/u.test(text) && ![request, turnsAway, comesBack].some((cue) => cue.test(text))
}

/** Characters that are read: what a message says of its place, it says first. */
const maxChars = 300

/** Words that let go of what was said, and point at nothing that follows. */
const dropped =
  /\b(?:forget (?:it|that|about (?:it|that))|vergiss (?:es|das)|oublie (?:ca|cela)|olvida(?:lo| eso))\b[.,!]*/g

const plain = (message: string) =>
  withoutAccents(message.slice(0, maxChars))
    .replaceAll('’', "'")
    .toLowerCase()
    .replace(dropped, ' ')
    .replace(/^[\s¿¡"'“„«(….-]+/, '')

/** Phrases, some on each line, as the alternatives of a pattern. */
const oneOf = (phrases: string) =>
  phrases
    .trim()
    .split(/\s*\n\s*/)
    .join('|')
const begins = (phrases: string) => new RegExp(`^(?:${oneOf(phrases)})(?![\\p{L}\\p{N}])`, 'u')
const holds = (phrases: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${oneOf(phrases)})(?![\\p{L}\\p{N}])`, 'u')

const followUp = begins(`
  and|but|so|then|also|or|plus|because|why|why not|how so|really|what about|how about|what else|anything else
  ok|okay|yes|yeah|yep|no|nope|sure|right|great|good|perfect|fine|thanks|thank you|please do|go on|go ahead|continue|more|again
  same|instead|actually|sorry|wait|hm+|that|this|those|these|it|they|he|she|which one|which ones|the (?:first|second|third|last|other) one
  (?:make|do|keep|change|move|send|say|put|shorten|explain|repeat|translate|summari[sz]e) (?:it|that|this|them|those)
  (?:mach|nimm|lass|andere|kurze?|ubersetze?|schicke?|schreibe?|erklare?|wiederhole?) (?:es|das|sie|ihn)
  (?:fais|mets|prends|laisse|change|envoie|ecris|traduis|repete)-l(?:e|a|es)|(?:haz|pon|deja|cambia|envia|escribe|traduce|repite)l[oa]s?
  shorter|longer|simpler|in (?:english|german|french|spanish)
  und|aber|also|dann|oder|ausserdem|warum|wieso|ja|nein|gut|genau|danke|bitte|weiter|noch|stimmt|das|dies|diese|es|sie|er
  et|mais|donc|alors|puis|ou bien|pourquoi|oui|non|merci|d'accord|continue|encore|cela|ca|c'est|celui|celle|il|elle
  y|pero|entonces|tambien|por que|si|vale|gracias|sigue|eso|esto|ese|esa
  e|ma|allora|anche|perche|grazie|va bene|continua|questo|quello|mas|tambem|entao|por que|sim|nao|obrigad[oa]|isso
  en|maar|dus|ook|waarom|ja|nee|dank je|bedankt|dat|dit|och|men|sa|ocksa|varfor|nej|tack|det|den
`)

const requestVerbs = oneOf(`
  draft|write|create|add|make|find|show|tell|remind|book|order|plan|translate|send|explain|suggest|recommend
  compare|list|search|schedule|buy|call|help|give|set|open|summari[sz]e|let's|can you|could you|i (?:want|need|would like)
  entwirf|schreib|erstell|leg|such|zeig|erinner|buch|bestell|plan|ubersetz|schick|erklar|hilf|gib|offne|ich (?:brauche|will|mochte)
  redige|ecris|cree|ajoute|cherche|montre|rappelle|reserve|commande|traduis|envoie|explique|aide|donne|propose|ouvre|je (?:veux|voudrais)
  redacta|escribe|crea|anade|busca|muestra|recuerda(?:me)?|reserva|pide|traduce|envia|explica|ayuda(?:me)?|dame|abre|quiero|necesito
`)

/** A wish, also behind the words that lead to one. */
const request = begins(`
  (?:(?:and|but|so|then|also|now|ok|okay|well|no|yes|actually|please|und|aber|also|dann|jetzt|nun|bitte|gut|nein|ja|et|mais|alors|donc|y|pero|entonces|e|en),? )*(?:${requestVerbs})
`)

const turnsAway = holds(`
  (?:a |an )?(?:new|another|different|separate|unrelated|other) (?:topic|subject|question|thread|conversation|matter|thing|chat)
  something (?:else|different|new|unrelated|completely different|entirely different)
  before i forget|while (?:i|we) (?:think|are|am)
  (?:change|changing|switch|switching) (?:of |the )?(?:subject|topic)s?|on another note|unrelated|by the way|btw|off topic
  bevor ich(?:'s| es)? vergesse|wo ich gerade|neues thema|anderes thema|andere frage|etwas (?:ganz )?anderes|was (?:ganz )?anderes|themenwechsel|ubrigens|nebenbei
  avant que j'oublie|autre (?:sujet|chose|question)|nouveau sujet|changeons de sujet|rien a voir|au fait
  antes de que (?:se me )?olvide|otr[oa] (?:tema|cosa|pregunta|asunto)|nuevo tema|cambi(?:o|ando|emos) de tema|por cierto
  altr[oa] (?:argomento|cosa|domanda)|un'altra (?:cosa|domanda)|cambi(?:o|amo|ando) argomento|a proposito
  outr[oa] (?:assunto|coisa|pergunta)|mudando de assunto|ander onderwerp|iets anders|andere vraag|trouwens
  annat amne|nagot annat|en annan fraga|forresten
`)

const comesBack = holds(`
  (?:go(?:ing)? |coming |come |turn(?:ing)? )?back to|return(?:ing)? to|pick(?:ing)? up|as (?:we|i) (?:said|discussed) (?:about|on)
  where were we (?:with|on)|last (?:week|time|month) we
  zuruck zu[mr]?|noch ?mal zu[mr]?|wieder zu[mr]?|revenons|pour revenir|retour a|volv(?:er|iendo|amos) a|de vuelta a
  torn(?:ando|iamo|are) a|voltando|de volta a|terug naar|tillbaka till
`)

const pointer = holds(`
  it|its|that|those|these|them|they|he|him|she|her|the same|the (?:first|second|third|last|other) one|the (?:others|rest)|there (?:as well|too)|above|instead|you (?:just )?(?:said|wrote|mentioned|suggested|drafted)
  (?:reicht|passt|gilt|geht|stimmt|gibt|kostet|dauert|war|ist|wird|kann|muss|hilft|hat|klappt) (?:das|es|die|sie)(?: (?:fur|zu[mr]?|mit|auch|noch|schon|denn|dann|so|bis|nicht|immer))
  die (?:anderen|ubrigen|restlichen)|les autres|(?:los|las) (?:otros|otras|demas)|dat (?:ook|wel|niet|nog)
  stattdessen|plutot|a la place|en su lugar|dar?(?:an|auf|aus|bei|durch|fur|gegen|in|mit|nach|uber|um|unter|von|vor|zu)|dort(?:hin|her)?|dahin|hinein|denselben|dieselbe|dasselbe|du (?:gerade )?gesagt
  celui-ci|celle-ci|la-dedans|cela|ca|ceux-ci|dessus|en question|lo mismo|eso|esto|ello|questo|quello|isso|disso|daarvan|daarover|det dar
`)

// What is decided before any router is asked.

/** What decides without a router where a message belongs. */
export type Situation = {
  now: Date
  active: {
    /** `null` when nothing was said in it yet. */
    last_said_at: string | null
    last_activity_at: string
    chosen_at: string | null
    busy: boolean
    /** A research run waits there for the owner. */
    held: boolean
  } | null
  /** How many other conversations of the Space something was said in. */
  others: number
}

/** How long a choice by hand holds until it is used, and a question of the companion until it is answered. */
const recentMs = 60 * 60_000

type ObviousReason = 'none_yet' | 'just_begun' | 'chosen' | 'busy' | 'research'

/**
 * Why no router has to be asked, or `null`. Without an active conversation and others there is nothing to choose
 * between; else the message continues the active one, because a research run waits there, nothing was said in it yet,
 * the owner has just opened it by hand, or an answer is being written in it.
 */
export function obviousReason({ now, active, others }: Situation): ObviousReason | null {
  if (!active) return others === 0 ? 'none_yet' : null
  if (active.held) return 'research'
  if (active.last_said_at === null) return 'just_begun'
  if (active.busy) return 'busy'
  return isChosen(active, now) ? 'chosen' : null
}

function isChosen({ chosen_at, last_said_at }: NonNullable<Situation['active']>, now: Date): boolean {
  if (!chosen_at || !last_said_at) return false
  const chosen = Date.parse(chosen_at)
  return chosen > Date.parse(last_said_at) && now.getTime() - chosen <= recentMs
}

/** Whether its last words are recent enough for an answer to them. */
export const isRecent = ({ last_activity_at }: Thread, now: Date) =>
  now.getTime() - Date.parse(last_activity_at) <= recentMs
