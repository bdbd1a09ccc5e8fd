// Orders by which a model is addressed, or is to be somebody else.

import { around, isNear, ordersTo, type Rule, saysOf } from './near.ts'
import type { Hit, Sentence } from './read-sentences.ts'

/** The reader is told what it is. */
const setsRole: Rule = (sentence) =>
  saysOf(sentence, 'youAre').some(
    (you) =>
      isNear(sentence, you, ['agent'], { after: 8 }) ||
      isNear(sentence, you, ['unbound'], { after: 14 }) ||
      (isNear(sentence, you, ['now'], { before: 6, after: 6 }) &&
        isNear(sentence, you, ['agent', 'helper', 'authority', 'unbound', 'mode'], { after: 18 })),
  )

/** The reader is to act as somebody who may more. */
const playsRole: Rule = (sentence) =>
  saysOf(sentence, 'actAs').some(
    (verb) =>
      verb.ordered &&
      isNear(sentence, verb, ['agent', 'authority', 'developer', 'owner', 'unbound'], {
        before: 10,
        after: 12,
      }),
  )

/** The reader is to pretend something of itself, or of whom it obeys. */
const pretends: Rule = (sentence) =>
  ordersTo(sentence, 'pretend').some(
    (verb) =>
      /^(?:you|to|this)$/.test(sentence.words[verb.end] ?? '') ||
      isNear(sentence, verb, ['youAre', 'agent', 'authority', 'owner', 'unbound', 'yours'], {
        before: 8,
        after: 10,
      }),
  )

/** The reader is to answer otherwise from now on. */
const setsBehaviour: Rule = (sentence) =>
  saysOf(sentence, 'fromNow').some((from) =>
    around(sentence, from, ['respond'], { after: 12 }).some(({ ordered }) => ordered),
  )

/** Somebody claims to be the reader's maker. */
const claimsAuthority: Rule = (sentence) =>
  saysOf(sentence, 'iAm').some((who) => isNear(sentence, who, ['yourMaker'], { after: 6 }))

/** A note is for a model; a model must do something, or is told what to do. */
const addressesModel: Rule = (sentence) =>
  saysOf(sentence, 'noteTo').some(
    (note) =>
      isNear(sentence, note, ['agent'], { before: 6, after: 8 }) ||
      around(sentence, note, ['helper'], { after: 6 }).some(({ end }) => sentence.marks[end - 1] === ':'),
  ) ||
  saysOf(sentence, 'agent').some(
    (agent) =>
      isNear(sentence, agent, ['must'], { after: 6 }) ||
      (isCalled(sentence, agent) && isTold(sentence, agent)),
  ) ||
  saysOf(sentence, 'helper').some((helper) => sentence.opens[helper.start] && isTold(sentence, helper)) ||
  saysOf(sentence, 'agent', 'helper').some((one) => isReadingThis(sentence, one))

const maxGreeting = 3

/** At the beginning of a clause, or after a greeting. */
function isCalled({ words, opens }: Sentence, { start }: Hit): boolean {
  for (let at = start; at >= Math.max(0, start - maxGreeting); at--) {
    if (opens[at]) return true
    if (!greetings.has(words[at - 1]!)) return false
  }
  return false
}

const greetings = new Set(
  `dear hi hello hey attention to for an any every all your the my liebe lieber hallo an die der das den cher chere bonjour
  a querido hola caro ciao ao уважаемыи привет drogi sayin 致 亲 爱 的 各 位 عزيزي`.split(/\s+/),
)

const isReadingThis = ({ words }: Sentence, { end }: Hit): boolean =>
  /^(?:reading|processing|summari[sz]ing|handling) (?:this|the)$/.test(`${words[end]} ${words[end + 1]}`)

/** After a colon or a comma comes what it is to do. */
function isTold(sentence: Sentence, { end }: Hit): boolean {
  const { words, marks } = sentence
  if ((marks[end - 1] !== ':' && marks[end - 1] !== ',') || end === words.length) return false
  const next = { start: end, end: end + 1 }
  return (
    /^you (?:must|should|will|are)$/.test(`${words[end]} ${words[end + 1]}`) ||
    around(
      sentence,
      next,
      ['act', 'drop', 'actAs', 'tell', 'show', 'send', 'respond', 'approve', 'pretend'],
      { after: 6 },
    ).some(({ ordered }) => ordered)
  )
}

const speaksOfPrompts: Rule = (sentence) => saysOf(sentence, 'jargon').length > 0

export const roleRules: readonly Rule[] = [
  ...[setsRole, playsRole, pretends, setsBehaviour, claimsAuthority, addressesModel, speaksOfPrompts],
]
