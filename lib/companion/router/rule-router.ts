// The router without a model: it counts the words that a message shares with each conversation's title and summary, and
// looks at the time that has passed. In doubt it begins a new thread: what was put where it does not belong costs more
// than a thread of its own, which one key joins.

import { contentStems } from '../../core/text/words/content-words.ts'
import { isSameWord, withoutAccents } from '../../core/text/words/words.ts'
import type { Choice, Router, RouterAnswer, RoutingCase, Thread } from './router.ts'

const minuteMs = 60_000
/** Within this time a message stays where it is unless it clearly belongs elsewhere. */
const warmMs = 10 * minuteMs
/** Of the words of a message, once it is no longer warm: fewer that its conversation knows are a coincidence. */
const minShare = 0.3
/** After this time even a short message that nothing is known of begins something new. */
const coldMs = 6 * 60 * minuteMs

export const ruleRouter: Router = {
  by: 'rules',
  model: null,
  async route(known) {
    return decide(known)
  },
}

/** Characters of a text that are read. */
const maxTopicChars = 4000
/** Words that say how somebody talks to a companion rather than what about. */
const talkWords = new Set(
  `tell remind draft create add write make update change plan compare suggest explain recommend task page note question answer
  today tomorrow yesterday week month year day time first last next new old still`.split(/\s+/),
)

/** The stems of the words that say what a text is about. In a script without spaces these are pairs of characters. */
const topicOf = (text: string): string[] =>
  [...contentStems(text.slice(0, maxTopicChars), talkWords)].filter((word) => word.length > 1)

/** How much of a message a conversation knows. */
type Match = { id: string; score: number; share: number }

function decide(known: RoutingCase): RouterAnswer {
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
  const isWarm = age <= warmMs
  if (ownScore > 0 && (isWarm || own!.share >= minShare || pointsBack(message)))
    return say({ choice: 'continue' }, 'shared_words')
  const asksAnew = asksWhy(message) && words.length >= 2 && !pointsBack(message)
  if (startsLikeFollowUp(message) && !asksAnew) return say({ choice: 'continue' }, 'follow_up')

  const isStrange = words.length >= 2 && !pointsBack(message)
  if (isStrange || (words.length >= 1 && age > coldMs)) return say({ choice: 'new' }, 'nothing_shared')
  return say({ choice: 'continue' }, 'not_clear')
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
  if (best.score >= 1.8) return best
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

/** Whether it asks for a reason, which may be that of anything: "why?" goes on, "why is the sky blue?" hardly. */
const asksWhy = (message: string): boolean => why.test(plain(message))

/** Whether it points at something that was said before without naming it: "is it still open?". */
export const pointsBack = (message: string): boolean => pointer.test(plain(message))

/** Whether it says that it is about something else. */
export const turnsToOther = (message: string): boolean => turnsAway.test(plain(message))

/** Whether it says that it comes back to something. */
export const comesBackTo = (message: string): boolean => comesBack.test(plain(message))

/** Characters that are read: what a message says of its place, it says first. */
const maxChars = 300

const plain = (message: string) =>
  withoutAccents(message.slice(0, maxChars))
    .replaceAll('’', "'")
    .toLowerCase()
    .replace(/^[\s¿¡"'“„«(….-]+/, '')

const begins = (phrases: string) =>
  new RegExp(
    `^(?:${phrases
      .trim()
      .split(/\s*\n\s*/)
      .join('|')})(?![\\p{L}\\p{N}])`,
    'u',
  )
const holds = (phrases: string) =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${phrases
      .trim()
      .split(/\s*\n\s*/)
      .join('|')})(?![\\p{L}\\p{N}])`,
    'u',
  )

const followUp = begins(`
  and|but|so|then|also|or|plus|because|why|why not|how so|really|what about|how about|what else|anything else
  ok|okay|yes|yeah|yep|no|nope|sure|right|great|good|perfect|fine|thanks|thank you|please do|go on|go ahead|continue|more|again
  same|instead|actually|sorry|wait|hm+|that|this|those|these|it|they|he|she|which one|which ones|the (?:first|second|third|last|other) one
  (?:make|do|keep|change|move|send|say|put|shorten|explain|repeat|translate|summari[sz]e) (?:it|that|this|them|those)
  shorter|longer|simpler|in (?:english|german|french|spanish)
  und|aber|also|dann|oder|ausserdem|warum|wieso|ja|nein|gut|genau|danke|bitte|weiter|noch|stimmt|das|dies|diese|es|sie|er
  et|mais|donc|alors|puis|ou bien|pourquoi|oui|non|merci|d'accord|continue|encore|cela|ca|c'est|celui|celle|il|elle
  y|pero|entonces|tambien|por que|si|vale|gracias|sigue|eso|esto|ese|esa
  e|ma|allora|anche|perche|grazie|va bene|continua|questo|quello|mas|tambem|entao|por que|sim|nao|obrigad[oa]|isso
  en|maar|dus|ook|waarom|ja|nee|dank je|bedankt|dat|dit|och|men|sa|ocksa|varfor|nej|tack|det|den
`)

const why = begins(`
  why|how so|warum|wieso|pourquoi|por que|perche|waarom|varfor
`)

const turnsAway = holds(`
  (?:a |an )?(?:new|another|different|separate|unrelated|other) (?:topic|subject|question|thread|conversation|matter|thing|chat)
  something (?:else|different|new|unrelated|completely different|entirely different)
  (?:change|changing|switch|switching) (?:of |the )?(?:subject|topic)s?|on another note|unrelated|by the way|btw|off topic
  neues thema|anderes thema|andere frage|etwas (?:ganz )?anderes|was (?:ganz )?anderes|themenwechsel|ubrigens|nebenbei
  autre (?:sujet|chose|question)|nouveau sujet|changeons de sujet|rien a voir|au fait
  otr[oa] (?:tema|cosa|pregunta|asunto)|nuevo tema|cambi(?:o|ando|emos) de tema|por cierto
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
  it|its|that|those|these|them|they|he|him|she|her|the same|the (?:first|second|third|last|other) one|above|you (?:just )?(?:said|wrote|mentioned|suggested|drafted)
  davon|dazu|damit|dafur|darin|dort|denselben|dieselbe|dasselbe|du (?:gerade )?gesagt
  celui-ci|celle-ci|la-dedans|cela|ca|ceux-ci|dessus|en question|lo mismo|eso|esto|ello|questo|quello|isso|disso|daarvan|daarover|det dar
`)
