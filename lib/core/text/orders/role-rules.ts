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
  saysOf(sentence, 'helper').some(
    (helper) =>
      isNear(sentence, helper, ['must'], { after: 6 }) &&
      around(sentence, helper, ['outputs'], { after: 12 }).some(({ end }) => announces(sentence, end)),
  ) ||
  saysOf(sentence, 'helper').some((helper) => sentence.opens[helper.start] && isTold(sentence, helper)) ||
  saysOf(sentence, 'agent', 'helper').some((one) => isReadingThis(sentence, one))

/** Whether what is to be said follows behind a colon or in quotation marks. */
const announces = ({ marks }: Sentence, end: number): boolean => /[:"]/.test(marks[end - 1] ?? '')

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

const isReadingThis = (sentence: Sentence, hit: Hit): boolean =>
  isNear(sentence, hit, ['readsThis'], { before: verbsLast(sentence) ? 24 : 0, after: 8 })

/** Whether its verbs come last, with whom they are about far before them. */
const verbsLast = ({ words }: Sentence): boolean =>
  words.some((word) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word))

/** A program, which may be somebody, is to say something to the owner or to do it for them. */
const sendsHelper: Rule = (sentence) => {
  const far = verbsLast(sentence) ? 80 : 0
  return saysOf(sentence, 'helper').some(
    (helper) =>
      !trade.test(sentence.words[helper.start - 1] ?? '') &&
      isNear(sentence, helper, ['must'], { after: Math.max(6, far) }) &&
      around(sentence, helper, ['owner', 'user'], { after: Math.max(14, far) }).some((who) =>
        isNear(sentence, who, ['tell', 'show', 'mention', 'outputs'], { before: 8, after: Math.max(8, far) }),
      ),
  )
}

/** Whose agents are people. */
const trade = /^(?:estate|letting|travel|insurance|sales|booking|shipping|shop)$/

/** What is ordered of the reader if it is a model, or when it makes this text short. */
const conditions: Rule = (sentence) =>
  saysOf(sentence, 'conditional').some((condition) =>
    around(sentence, condition, ['you'], { after: 4 }).some(
      (you) =>
        isNear(sentence, you, ['agent'], { after: 8 }) ||
        isNear(sentence, you, ['digestThis'], { after: 8 }) ||
        around(sentence, you, ['digestIt'], { after: 8 }).some((digest) =>
          isNear(sentence, digest, ['outputs', 'tell', 'without'], { after: 24 }),
        ),
    ),
  ) ||
  saysOf(sentence, 'digestThis').some(
    (digest) =>
      sentence.marks.indexOf(':', digest.end - 1) >= 0 || isNear(sentence, digest, ['must'], { after: 14 }),
  )

/** What the summary is to say: the words follow behind a mark. */
const dictates: Rule = (sentence) => {
  const reach = verbsLast(sentence) ? 80 : 20
  return saysOf(sentence, 'digest').some(
    (digest) =>
      isNear(sentence, digest, ['must'], { after: reach }) &&
      isNear(sentence, digest, ['outputs'], { after: reach }) &&
      sentence.marks.slice(digest.end - 1, digest.end + 40).some((mark) => mark === ':' || mark === '"'),
  )
}

/** “For the language model: …” */
const headsModel: Rule = (sentence) =>
  saysOf(sentence, 'agent').some(
    (agent) =>
      !isName.test(sentence.words[agent.start]!) &&
      sentence.marks[agent.end - 1] === ':' &&
      isCalled(sentence, agent),
  )

/** People have these names, too. */
const isName = /^(?:claude|gemini|ai|ki|ia)$/

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
  ...[sendsHelper, conditions, dictates, headsModel],
]
