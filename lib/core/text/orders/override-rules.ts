// Orders by which a model is to leave what it was told before.

import type { Concept } from './lexicon.ts'
import { around, inOrder, isDenied, isNear, ordersTo, type Reach, type Rule, saysOf } from './near.ts'
import type { Hit, Sentence } from './read-sentences.ts'

/** What a verb is about: before it where verbs come last, else after it. */
const object = { before: 16, after: 24 }

/** Instructions from before, or the reader's own, are to be set aside. */
const setsAside: Rule = (sentence) =>
  [
    ...saysOf(sentence, 'drop').filter((hit) => !isDenied(sentence, hit)),
    ...saysOf(sentence, 'disobey'),
  ].some(
    (verb) =>
      around(sentence, verb, ['instruction', 'limits'], object).some((noun) =>
        isOfModel(sentence, verb, noun),
      ) ||
      (verb.ordered &&
        around(sentence, verb, ['rules', 'asked'], object).some((noun) => isOfReader(sentence, verb, noun))),
  )

/** From before, or all, or so bare that they need be no one's else. */
const isOfModel = (sentence: Sentence, verb: Hit, noun: Hit): boolean =>
  isNear(sentence, noun, ['prior'], { before: 10, after: 10 }) ||
  (verb.ordered &&
    !isOnThing(sentence, noun) &&
    (isNear(sentence, noun, ['all'], { before: 8, after: 4 }) || isBare(sentence, verb, noun)))

/** Such as other texts have too: from before, and not the writer's own. */
const isOfReader = (sentence: Sentence, verb: Hit, noun: Hit): boolean =>
  (around(sentence, noun, ['prior'], { before: 6, after: 8 }).some((one) =>
    isOneClause(sentence, one, noun),
  ) &&
    !isNear(sentence, noun, ['mine'], { before: 6 })) ||
  (isNear(sentence, noun, ['all'], { before: 6 }) && isBare(sentence, verb, noun))

const isOnThing = (sentence: Sentence, noun: Hit): boolean =>
  isNear(sentence, noun, ['household'], { before: 10, after: 12 })

function isOneClause({ opens }: Sentence, one: Hit, other: Hit): boolean {
  const [first, last] = inOrder(one, other)
  return !opens.slice(first.start + 1, last.start + 1).includes(true)
}

/** Only small words stand between them, and nothing after the noun says whose it is. */
function isBare({ words, marks }: Sentence, verb: Hit, noun: Hit): boolean {
  const [first, last] = inOrder(verb, noun)
  const between = words.slice(first.end, last.start)
  const next = words[noun.end]
  return (
    between.length <= 4 &&
    between.every((word) => smallWords.has(word)) &&
    (next === undefined || marks[noun.end - 1] !== '' || joins.has(next) || noun.end === verb.start)
  )
}

const smallWords = new Set(
  `the a an of all any your these those and or please completely just now die der das den alle sofort bitte einfach und
  sie de het les des la le l toutes tes vos el los las todas tus il lo gli i tutte as os suas все te を の は も に 的 了 把
  所 有 之 这 些 請 请 tum bu wszystkie`.split(/\s+/),
)
const joins = new Set('and or then now at und oder dann et puis y luego e poi и а затем i oraz ve'.split(' '))

/** What holds the reader back is to be taken away. */
const liftsLimits: Rule = (sentence) =>
  ordersTo(sentence, 'cancel').some((verb) =>
    around(sentence, verb, ['instruction', 'limits'], { before: 12, after: 14 }).some(
      (noun) => isNear(sentence, noun, ['prior'], { before: 8, after: 8 }) && !isOnThing(sentence, noun),
    ),
  )

/** Everything from before is to be forgotten, or what the reader is. */
const forgetsAll: Rule = (sentence) =>
  saysAllPrior(sentence, 'forget', { before: 6, after: 12 }) ||
  saysAllPrior(sentence, 'drop', { before: 3, after: 4 }) ||
  ordersTo(sentence, 'forget').some((verb) => isNear(sentence, verb, ['youAre'], { after: 6 }))

const saysAllPrior = (sentence: Sentence, concept: Concept, reach: Required<Reach>): boolean =>
  ordersTo(sentence, concept).some((verb) =>
    around(sentence, verb, ['everything'], { before: 12, after: 8 }).some((what) =>
      isNear(sentence, what, ['prior'], reach),
    ),
  )

/** What was said before is not to be followed. */
const refusesToFollow: Rule = (sentence) =>
  saysOf(sentence, 'follow').some((verb) => {
    const isRefused =
      around(sentence, verb, ['negation'], { before: 6 }).some(({ ordered }) => ordered) ||
      (verb.ordered && isNear(sentence, verb, ['negation'], { after: 12 }))
    const isAbout = (nouns: readonly Concept[], whose: Concept) =>
      around(sentence, verb, nouns, { before: 14, after: 14 }).some((noun) =>
        isNear(sentence, noun, [whose], { before: 8, after: 8 }),
      )
    return isRefused && (isAbout(['instruction', 'limits'], 'prior') || isAbout(['rules'], 'yours'))
  })

/** What was said before is said to hold no longer. */
const declaresVoid: Rule = (sentence) =>
  saysOf(sentence, 'instruction').some(
    (noun) =>
      isNear(sentence, noun, ['prior'], { before: 8, after: 4 }) &&
      isNear(sentence, noun, ['voided'], { after: 16 }) &&
      !isNear(sentence, noun, ['conditional'], { before: 12 }),
  )

/** There is a new task: “the new task is …”, “your instructions are now …”. */
const setsTask: Rule = (sentence) =>
  saysOf(sentence, 'task').some(
    (noun) =>
      isNear(sentence, noun, ['yours'], { before: 2 }) &&
      around(sentence, noun, ['copula'], { after: 2 }).some((verb) =>
        isNear(sentence, verb, ['now'], { after: 2 }),
      ),
  ) ||
  saysOf(sentence, 'newer').some(
    (adjective) =>
      around(sentence, adjective, ['task'], { before: 4, after: 4 }).some((noun) =>
        isStated(sentence, adjective, noun),
      ) ||
      around(sentence, adjective, ['goal'], { before: 4, after: 4 }).some(
        (noun) =>
          isStated(sentence, adjective, noun) &&
          isNear(sentence, adjective, ['yours'], { before: 4, after: 4 }),
      ),
  )

/** Side by side, and then what it is. */
function isStated(sentence: Sentence, adjective: Hit, noun: Hit): boolean {
  const [first, last] = inOrder(adjective, noun)
  if (last.start - first.end > 1) return false
  const pair = { start: first.start, end: last.end }
  return sentence.marks[pair.end - 1] === ':' || isNear(sentence, pair, ['copula'], { after: 4 })
}

/** What the reader was told is to be told on. */
const revealsPrompt: Rule = (sentence) =>
  ordersTo(sentence, 'send').some((verb) =>
    around(sentence, verb, ['instruction'], { before: 12, after: 16 }).some((noun) =>
      isNear(sentence, noun, ['inner'], { before: 6, after: 8 }),
    ),
  )

export const overrideRules: readonly Rule[] = [
  ...[setsAside, liftsLimits, forgetsAll, refusesToFollow, declaresVoid, setsTask, revealsPrompt],
]
