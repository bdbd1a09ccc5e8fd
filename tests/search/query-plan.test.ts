import { expect, test } from 'vitest'
import { planQuery } from '../../lib/search/query-plan.ts'
import { parseQuestion } from '../../lib/search/question.ts'
import type { TermCounts } from '../../lib/search/term-counts.ts'

/** Counts of a Space of 100,000 passages: each lexeme with how many hold it, and how many of these were said. */
const countsOf = (byLexeme: Record<string, number>, said: Record<string, number> = {}): TermCounts => ({
  chunks: 100_000,
  length: 0,
  said: new Map(Object.entries(said)),
  byLexeme: new Map(Object.entries(byLexeme)),
  sync: async () => {},
  forget() {},
})

/** The plan of a question whose words are their own lexemes. */
function plan(q: string, counts: TermCounts) {
  const question = parseQuestion(q)
  const { words, joined, split } = question
  const all = [...words, ...joined, ...split.map(({ word }) => word)]
  const lexemes = [...new Set(all)].map((lexeme) => ({
    place: 1,
    lexeme,
    positions: all.flatMap((word, at) => (word === lexeme ? [at + 1] : [])),
  }))
  return planQuery({ ...question, lexemes }, [counts])!
}

/** What is asked last for these words. */
const widest = (words: Record<string, number>) =>
  plan(Object.keys(words).join(' '), countsOf(words)).stages.others.at(-1)!.tsquery

test('of a long question the rarest words count, and words that are known nowhere displace none', () => {
  const known = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`known${n}`, 10 + n]))
  const unknown = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`zzz${n}`, 0]))

  const all = widest({ ...unknown, ...known })

  expect(all.match(/known\d+/g)).toEqual(Array.from({ length: 200 }, (_, n) => `known${n}`))
  expect(all.match(/zzz\d+/g)).toHaveLength(24)
})

test('a word that was only said is taken for a written one, but for no other that was said', () => {
  const said = { djikstra: 9, dijkstre: 9, djikstras: 2 }

  expect(plan('djikstra', countsOf({ ...said, dijkstra: 4 }, said)).lexemes).toEqual(['dijkstra', 'djikstra'])
  expect(plan('djikstra', countsOf(said, said)).lexemes).toEqual(['djikstra'])
})

test('letters and digits of a word are looked for where nothing has the word', () => {
  const parts = { gpt: 40, 4: 400 }

  expect(plan('gpt4', countsOf(parts)).lexemes).toEqual(['gpt4', 'gpt', '4'])
  expect(plan('gpt4', countsOf({ ...parts, gpt4: 1 })).lexemes).toEqual(['gpt4'])
})

test('what is written in parts is one word, too, which counts little in a long question', () => {
  const counts = countsOf({ co: 9, operation: 9, cooperation: 9, of: 9, many: 9, small: 9, firms: 9 })
  const weights = (q: string) =>
    plan(q, counts)
      .vector.slice(1)
      .split('}')[0]!
      .split(',')
      .map((part) => Number(part.split(':')[1]))

  const long = weights('co-operation of many small firms')

  expect(Math.min(...long)).toBeCloseTo(Math.max(...long) / 10)
  expect(weights('co-operation')).toHaveLength(3)
  expect(new Set(weights('co-operation')).size).toBe(1)
})

test.each([
  ['a swap before another letter', 'interent', { internet: 4, interest: 9, inherent: 9 }, ['internet']],
  ['a letter doubled or not before another one', 'aple', { able: 90, apple: 4 }, ['apple']],
  ['a slip beside digits', 'interent2', { internet2: 4, internet3: 9, interent4: 9 }, ['internet2']],
  ['a slip in another form of the word', 'septiecmia', { septicem: 4, septum: 9 }, ['septicem']],
  ['no beginning that is a small part of the word', 'cauterzing', { cater: 4 }, []],
  ['no other number', 'release2024', { release2025: 4 }, []],
  ['no other name of few letters', 'utf16', { utf8: 4, utf32: 4 }, []],
])('for an unknown word is looked for: %s', (_, word, known, expected) => {
  const found = plan(word, countsOf(known)).lexemes.filter((lexeme) => lexeme in known)

  expect(found).toEqual(expected)
})
