// What a message says about its own place, in the first words of several languages: that it goes on, that it turns to
// something else, that it comes back to something. Read from text without accents, in lower case.

import { withoutAccents } from '../../core/text/words/words.ts'

/** Whether a message goes on from what was just said: "and the rent?", "why?", "shorter, please". */
export function startsLikeFollowUp(message: string): boolean {
  const text = plain(message)
  return followUp.test(text) && !turnsAway.test(text) && !comesBack.test(text)
}

/** Whether it asks for a reason, which may be that of anything: "why?" goes on, "why is the sky blue?" hardly. */
export const asksWhy = (message: string): boolean => why.test(plain(message))

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
