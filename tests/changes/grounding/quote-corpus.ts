// Texts of a Space, true quotations from them, and what may be done to a quotation. The same seed, the same corpus.

export type Quotation = {
  words: string
  source: string | null
  kind: 'true' | 'fabricated' | 'spliced' | 'altered' | 'misattributed'
}

export type CorpusText = { title: string; sentences: string[] }

/** A small, quick generator of numbers from 0 up to, not including, `below`. */
export function createDice(seed: number) {
  let state = seed >>> 0
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  return { next, pick: <Item>(items: readonly Item[]): Item => items[next(items.length)]! }
}

type Dice = ReturnType<typeof createDice>

const nouns =
  'lamp|lens|tower|gallery|landing|boat|tank|log|clock|store|cistern|fog horn|garden|signal mast|rope'.split(
    '|',
  )
const people =
  'the keeper|the inspector|the harbour master|his sister|the mason|the pilot|the cook|a visitor'.split('|')
const verbs =
  'repaired|inspected|painted|cleaned|measured|closed|moved|insured|described|drew|sold|tested'.split('|')
const times =
  'in the spring|before the storm|after the long winter|on the third working day|at dawn|in heavy rain'.split(
    '|',
  )
const ends = [
  'because nobody else was there',
  'and wrote nothing down about it',
  'although the oil had run out',
  'while the tide was still falling',
  'so that the light could be seen again',
  'for less than had been agreed',
  'without asking the office first',
  'as the rules of the service require',
]

const sentence = ({ next, pick }: Dice): string => {
  const who = pick(people)
  const count = next(90) + 10
  const shapes = [
    `${who} ${pick(verbs)} the ${pick(nouns)} and the ${pick(nouns)} ${pick(times)}, ${pick(ends)}`,
    `${pick(times)} ${who} ${pick(verbs)} ${count} yards of ${pick(nouns)} line ${pick(ends)}`,
    `the ${pick(nouns)} was ${pick(verbs)} by ${who} for ${count}.5 crowns ${pick(times)}, ${pick(ends)}`,
    `it doesn't matter that ${who} ${pick(verbs)} the old ${pick(nouns)} ${count} times ${pick(times)}`,
  ]
  const text = pick(shapes)
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

export function makeTexts(dice: Dice, count: number): CorpusText[] {
  return Array.from({ length: count }, (_, n) => ({
    title: `Journal ${n + 1} of the ${dice.pick(nouns)}`,
    sentences: Array.from({ length: 30 }, () => sentence(dice)),
  }))
}

export const bodyOf = ({ sentences }: CorpusText): string =>
  `# Notes\n\n${sentences.map((one, n) => (n % 6 === 5 ? `${one}\n\n` : `${one} `)).join('')}\n`

/** Quotations that are true, told in the ways in which people tell them. */
export function makeTrue(dice: Dice, texts: readonly CorpusText[]): Quotation {
  const text = dice.pick(texts)
  const at = dice.next(text.sentences.length - 1)
  const one = text.sentences[at]!
  const words = one.split(' ')
  const middle = Math.ceil(words.length / 2)
  const told = dice.pick([
    one,
    `${one} ${text.sentences[at + 1]}`,
    one.replace(/\.$/, ''),
    words.slice(2).join(' '),
    `${words.slice(0, middle - 1).join(' ')} … ${words.slice(middle).join(' ')}`,
    words.map((word, n) => (n === 3 ? `**${word}**` : word)).join(' '),
    one.replaceAll("'", '’'),
    words.map((word, n) => (n === middle ? `${word}\n` : word)).join(' '),
  ])
  return { words: told, source: dice.next(2) === 0 ? text.title : null, kind: 'true' }
}

/** What is no quotation, made in the ways in which it comes about. */
export function makeFalse(dice: Dice, texts: readonly CorpusText[], kind: Quotation['kind']): Quotation {
  const text = dice.pick(texts)
  const words = dice.pick(text.sentences).split(' ')
  const other = dice.pick(texts)
  const source = dice.next(2) === 0 ? text.title : null
  switch (kind) {
    case 'fabricated':
      return { words: dice.pick(inventions)(dice), source, kind }
    case 'misattributed':
      return {
        words: words.join(' '),
        source: other === text ? texts.find((one) => one !== text)!.title : other.title,
        kind,
      }
    case 'spliced': {
      const tail = dice.pick(other.sentences).split(' ')
      return { words: [...words.slice(0, -4), ...tail.slice(4)].join(' '), source, kind }
    }
    default:
      return { words: alter(dice, words).join(' '), source, kind }
  }
}

const inventions = [
  ({ pick }: Dice) => `Nobody will ever sell the ${pick(nouns)} to the town council of our islands.`,
  ({ pick, next }: Dice) =>
    `Our ${pick(nouns)} costs ${next(900)} euros more than whatever the neighbours pay today.`,
  ({ pick }: Dice) =>
    `Whoever holds the key to the ${pick(nouns)} decides who may stay overnight, says the contract.`,
]

function alter({ next, pick }: Dice, words: string[]): string[] {
  const at = 3 + next(Math.max(1, words.length - 6))
  const number = words.findIndex((word) => /\d/.test(word))
  const ways = [
    words.with(at, 'never'),
    words.toSpliced(at, 0, 'not'),
    words.toSpliced(at, 1),
    ...(number >= 0
      ? [
          words.with(
            number,
            words[number]!.replace(/\d+/, (digits) => String(Number(digits) + 1)),
          ),
        ]
      : []),
  ]
  return pick(ways)
}
