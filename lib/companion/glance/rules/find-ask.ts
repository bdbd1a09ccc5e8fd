// What a message asks of its reader, by words. It errs on the side of finding nothing: no nudge is the usual result.

import type { GlanceKind } from '../../../contract/companion/glance.ts'

export type Ask = {
  /** As it stands in the text. */
  sentence: string
  kind: GlanceKind
}

/** Characters of a message that are looked at, and of a sentence. */
const maxText = 20_000
const maxSentence = 400

/** The first sentence that asks for something; `null` when there is none, or the message says that nothing is asked. */
export function findAsk(text: string): Ask | null {
  const sentences = sentencesOf(text)
  if (sentences.some((sentence) => saysNothingAsked(sentence))) return null
  const asking = sentences.filter((sentence) => isAsking(sentence))
  const due = sentences.filter((sentence) => namesDeadline(sentence))
  const dated = asking.find((sentence) => namesDay(sentence))
  if (dated) return { sentence: dated, kind: 'deadline' }
  if (due[0]) return { sentence: due[0], kind: 'deadline' }
  return asking[0] ? { sentence: asking[0], kind: 'reply' } : null
}

/** Whether the message says that nothing is left to do. */
export const isSettled = (text: string): boolean =>
  sentencesOf(text).some((sentence) => saysNothingAsked(sentence))

/** Without lines that quote, each at most so long. */
function sentencesOf(text: string): string[] {
  return text
    .slice(0, maxText)
    .toWellFormed()
    .split(/\n/)
    .filter((line) => !line.trimStart().startsWith('>'))
    .flatMap((line) => line.split(/(?<=[.!?。！？])\s/))
    .map((sentence) => sentence.trim().slice(0, maxSentence).toWellFormed())
    .filter((sentence) => /\p{L}/u.test(sentence))
}

const nothingAsked =
  /\b(?:no (?:reply|response|answer|action|need to (?:reply|respond|answer|do anything))(?: is)?(?: (?:needed|required|necessary|expected))?|nothing (?:to do|for you to do|is needed)|you (?:don't|do not) (?:need|have) to|for your information|for information only|f\.?y\.?i\.?|just (?:so you know|a heads[- ]up|letting you know|to let you know)|never ?mind|no longer (?:needed|necessary|required)|already (?:sorted|solved|done|handled|taken care|answered|settled)|(?:has|have|is|are) (?:now )?(?:been )?(?:resolved|sorted|solved|settled|answered)|found it myself|zur (?:info|information|kenntnis)|keine (?:antwort|rückmeldung|aktion) (?:nötig|notwendig|erforderlich)|hat sich erledigt|pour (?:votre )?information|aucune (?:réponse|action)|para tu información)(?![\p{L}])/iu

const saysNothingAsked = (sentence: string): boolean => nothingAsked.test(sentence.replaceAll('’', "'"))

const politeEnding =
  /\b(?:any (?:other |further |more )?questions|(?:questions|fragen) ?\?|feel free|don't hesitate|do not hesitate|please (?:find|note|see|be advised|be aware|ignore|disregard|do not|don't)|bitte (?:beachten|nicht)|how are you|how's it going|hope (?:you|this|all))(?![\p{L}])/iu

/** Questions that want no answer. */
const rhetorical =
  /(?:,\s(?:is|was|are|were|do|does|did|has|have|had|will|would|can|could|nicht|oder)(?:n't)?\s?(?:it|that|this|they|he|she|we|wahr)?\s?[?？]$)|\b(?:did i (?:ever )?tell you|have i told you|can you believe|would you believe|who would have|guess what|isn't (?:it|that|this)|wasn't (?:it|that|this))(?![\p{L}])/iu

const request =
  /(?<![\p{L}])(?:please|pls|kindly|could you|can you|would you|will you|are you able|do you (?:have|know|want|need|agree|mind|think)|let (?:me|us) know|get back to (?:me|us)|(?:please |to |you )confirm|rsvp|(?:i|we|they|he|she) (?:still )?need(?:s)? (?:your|you|an?|the|to (?:know|have|hear))|(?:need|want|require)s? your|(?:waiting|wait) for (?:your|you)|awaiting your|look(?:ing)? forward to (?:your|hearing)|send (?:me|us|it|them)|call me|reply|your (?:reply|answer|approval|signature|decision|feedback|confirmation|review|consent)|bitte|könnt(?:en sie|est du)|kannst du|können sie|würden sie|würdest du|melde dich|melden sie sich|(?:ihre|deine|um) (?:antwort|rückmeldung|bestätigung|freigabe|unterschrift)|s'il (?:vous|te) plaît|pourriez-vous|pouvez-vous|peux-tu|merci de|por favor|podría|podrías|puedes)(?![\p{L}])/iu

const isAsking = (sentence: string): boolean => {
  const words = sentence.replaceAll('’', "'")
  if (politeEnding.test(words) || rhetorical.test(words)) return false
  return /[?？؟]["'”)\]*_]*$/u.test(words) || request.test(words)
}

const due =
  /(?<![\p{L}])(?:deadline|due|overdue|no later than|at the latest|expires?|expiring|last (?:day|chance)|closes|fällig|frist|spätestens|läuft ab|échéance|au plus tard|vence)(?![\p{L}])/iu

const by = /(?<![\p{L}])(?:by|until|till|before|within|bis|vor|avant|d'ici|antes)(?![\p{L}])/iu

const day =
  /(?<![\p{L}\p{N}])(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week)|noon|midnight|end of (?:the )?(?:day|week|month|year)|eod|cob|monday|tuesday|wednesday|thursday|friday|saturday|sunday|(?:january|february|march|april|june|july|august|september|october|november|december|may)(?= ?\d)|(?:\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec))|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}\.?|\d{1,2}(?::\d\d)? ?(?:am|pm|uhr|o'clock)|\d{1,2} (?:hours|days|stunden|tagen?)|heute|morgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|ende (?:der woche|des monats)|aujourd'hui|demain|hoy|mañana)(?![\p{L}\p{N}])/iu

const isDated = (words: string): boolean =>
  day.test(words) && (due.test(words) || by.test(words) || today.test(words))
const today = /(?<![\p{L}])(?:today|tonight|heute|aujourd'hui|hoy|this (?:afternoon|evening))(?![\p{L}])/iu

/** Of a sentence that asks: whether it says by when. */
const namesDay = (sentence: string): boolean => isDated(sentence.replaceAll('’', "'"))

/** Of any sentence: whether it says that something ends on a day. */
const namesDeadline = (sentence: string): boolean => {
  const words = sentence.replaceAll('’', "'")
  return due.test(words) && day.test(words)
}
