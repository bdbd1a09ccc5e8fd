// Made-up texts that behave like real ones where it counts: a few words are everywhere and most are rare (Zipf's law),
// pages have headings, paragraphs and links. The same seed makes the same texts.

export type MadePage = { title: string; body: string }

export type Prose = {
  /** A number from 0 to below `end`. */
  below(end: number): number
  words(count: number): string[]
  page(title: string, links?: readonly string[]): MadePage
}

const vocabularySize = 20_000
const syllables =
  'ba be bi bo da de di do fa fe ga go ka ke ki la le li lo ma me mi mo na ne no pa pe ra re ri ro'
    .concat(' sa se si so ta te ti to va ve vi')
    .split(' ')

const vocabulary = Array.from({ length: vocabularySize }, (_, rank) => wordOfRank(rank))

export function createProse(seed: number): Prose {
  const random = createRandom(seed)
  const below = (end: number) => Math.floor(random() * end)
  // The rank of a word under Zipf's law with exponent 1 is distributed evenly in its logarithm.
  const word = () => vocabulary[Math.floor(vocabularySize ** random()) - 1] ?? 'ba'
  const words = (count: number) => Array.from({ length: count }, word)

  const sentence = () => {
    const text = words(6 + below(12)).join(' ')
    return `${text[0]?.toUpperCase()}${text.slice(1)}.`
  }
  const paragraph = () => Array.from({ length: 2 + below(4) }, sentence).join(' ')

  return {
    below,
    words,
    page(title, links = []) {
      const sections = Array.from({ length: 2 + below(2) }, () => {
        const paragraphs = Array.from({ length: 1 + below(3) }, paragraph)
        return [`## ${words(2).join(' ')}`, ...paragraphs].join('\n\n')
      })
      const seeAlso = links.length > 0 ? [`See ${links.map((link) => `[[${link}]]`).join(' and ')}.`] : []
      return { title, body: [paragraph(), ...sections, ...seeAlso].join('\n\n') }
    },
  }
}

/** Pages named by words, each with links to two others. */
export function makePages(count: number, seed = 1): MadePage[] {
  const prose = createProse(seed)
  const titles = Array.from({ length: count }, (_, index) => `${prose.words(3).join(' ')} ${index + 1}`)
  return titles.map((title) => prose.page(title, [titles[prose.below(count)]!, titles[prose.below(count)]!]))
}

/** A word of one to five syllables, the common ones shorter; each rank has its own. */
function wordOfRank(rank: number): string {
  let left = rank
  let word = ''
  do {
    word += syllables[left % syllables.length]
    left = Math.floor(left / syllables.length) - 1
  } while (left >= 0)
  return `${word}n`
}

/** Mulberry32: small, even, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
