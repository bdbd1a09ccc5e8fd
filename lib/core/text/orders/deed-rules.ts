// Orders of what a model is to do: with the owner, with secrets, unasked.

import { around, isNear, ordersTo, type Reach, type Rule, saysOf } from './near.ts'
import type { Hit, Sentence } from './read-sentences.ts'

/** The owner is to be told something. */
const steersOwner: Rule = (sentence) =>
  saysOf(sentence, 'tell', 'show').some((verb) => verb.ordered && isOwnerTold(sentence, verb)) ||
  saysOf(sentence, 'tell').some(
    (verb) => verb.ordered && isNear(sentence, verb, ['user'], listenerOf(sentence, verb)),
  )

/** The owner of all, not of something that is named. */
const isOwnerTold = (sentence: Sentence, verb: Hit): boolean =>
  around(sentence, verb, ['owner'], listenerOf(sentence, verb)).some(
    ({ end }) => !ofSomething.test(sentence.words.slice(end, end + 2).join(' ')),
  )

const ofSomething =
  /^(?:(?:of|von|van) (?!this|dies|deze)|(?:vom|der|des|du|del|della|dello|do|da)(?: |$)|de (?:la|las|los|les|l|un|una|o|a)(?: |$))/

/** Who is told stands behind the verb, but before it where verbs come last. */
const listenerOf = ({ words }: Sentence, { start }: Hit): Reach =>
  verbLast.test(words[start]!) ? { before: 16, after: 6 } : { before: 4, after: 6 }

const verbLast = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Something is to be kept from the owner. */
const keepsSecret: Rule = (sentence) =>
  saysOf(sentence, 'hush').some((verb) => isOfOwner(sentence, verb)) ||
  saysOf(sentence, 'negation', 'without').some(
    (no) =>
      no.ordered && around(sentence, no, ['mention'], { after: 6 }).some((verb) => isOfOwner(sentence, verb)),
  ) ||
  saysOf(sentence, 'tell').some(
    (verb) => verb.ordered && isNear(sentence, verb, ['nothing'], { after: 10 }) && isOfOwner(sentence, verb),
  )

const isOfOwner = (sentence: Sentence, verb: Hit): boolean =>
  isNear(sentence, verb, ['owner', 'user', 'thisText'], { before: 10, after: 10 })

/** The owner is said to have agreed; of users, who agree to much, only where it has happened. */
const claimsConsent: Rule = (sentence) =>
  saysOf(sentence, 'owner').some(
    (owner) => isPerson(sentence, owner) && isNear(sentence, owner, ['consented'], { after: 6 }),
  ) ||
  saysOf(sentence, 'owner', 'user').some(
    (person) =>
      isPerson(sentence, person) &&
      around(sentence, person, ['consented'], { after: 14 }).some((deed) =>
        isNear(sentence, deed, ['has'], { before: 3 }),
      ),
  )

/** Not “the owner's”, nor “if the owner”. */
const isPerson = (sentence: Sentence, person: Hit): boolean =>
  sentence.words[person.end] !== 's' && !isNear(sentence, person, ['conditional'], { before: 8 })

const leaksSecrets: Rule = (sentence) =>
  ordersTo(sentence, 'send').some(
    (verb) =>
      around(sentence, verb, ['secret'], { before: 12, after: 16 }).some(
        (what) =>
          isNear(sentence, what, ['all'], { before: 8 }) ||
          isNear(sentence, what, ['yours'], { before: 6, after: 6 }),
      ) ||
      (isNear(sentence, verb, ['me'], { before: 8, after: 4 }) &&
        isNear(sentence, verb, ['key'], { before: 14, after: 14 })),
  )

/** Void is to do something by itself. */
const actsUnasked: Rule = (sentence) =>
  saysOf(sentence, 'act').some(
    (verb) =>
      verb.ordered &&
      (isNear(sentence, verb, ['nudge'], { after: 10 }) ||
        (isNear(sentence, verb, ['draft'], { before: 10, after: 10 }) &&
          isNear(sentence, verb, ['silently'], { before: 12, after: 20 }))),
  ) ||
  saysOf(sentence, 'approve').some((verb) => verb.ordered && isNear(sentence, verb, ['nudge'], { after: 8 }))

export const deedRules: readonly Rule[] = [
  ...[steersOwner, keepsSecret, claimsConsent, leaksSecrets, actsUnasked],
]
