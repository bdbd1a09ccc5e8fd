import { describe, expect, test } from 'vitest'
import {
  bestMatch,
  contradicts,
  findStatement,
  isSupported,
  sameStatement,
  statementProblem,
} from '../../../../lib/core/text/memory/statements.ts'

describe('a statement', () => {
  test.each([
    ['Hello there. I live in Oslo now. And you?', 'live in oslo', 'I live in Oslo now.'],
    ['I  live\nin Oslo', 'live in', 'I live in Oslo'],
    ['It’s true: I don’t eat fish', "don't eat fish", 'It’s true: I don’t eat fish'],
    ['I live in Oslo', 'I live in Os', null],
    ['> I live in Oslo\nOdd.', 'I live in Oslo', null],
    ['```\nI live in Oslo\n```', 'I live in Oslo', null],
    ['I live in Oslo', 'Oslo', null],
    ['First. I live in Oslo. I row. Last.', 'Oslo. I row', 'I live in Oslo. I row.'],
  ])('in %j of %j is %j', (message, quote, whole) => {
    expect(findStatement(message, quote)).toBe(whole)
  })

  test.each([
    ['Do I live in Oslo?', false],
    ['I live in Oslo?', false],
    ['What if I lived in Oslo.', false],
    ['If I live in Oslo the train is nearer.', false],
    ['Perhaps I live in Oslo.', false],
    ['Vielleicht wohne ich in Oslo.', false],
    ['I live in Oslo.', true],
    ['My wife is a doctor.', true],
  ])('%s', (sentence, isOne) => {
    expect(statementProblem(sentence) === null).toBe(isOne)
  })

  test.each([
    ['I live in Bergen', 'I live in Oslo', true],
    ['The rent is 450 crowns', 'The rent is 410 crowns', true],
    ['The boat is called Tern', 'The boat is called Gull', true],
    ['I do not eat fish', 'I eat fish', true],
    ['I prefer tea', 'I prefer coffee', true],
    ['We meet at 9 on Mondays', 'We meet at 10 on Mondays', true],
    ['I like tea', 'I like coffee', false],
    ['My sister is a nurse', 'My sister is in Oslo', false],
    ['The rent is due on Mondays', 'The boat is called Tern', false],
    ['I live in Oslo', 'I live in Oslo', false],
    ['I speak Danish', 'I speak Norwegian', false],
  ])('%s / %s: the one contradicts the other: %s', (newer, older, expected) => {
    expect(contradicts(newer, older)).toBe(expected)
  })

  test('is supported by words that say as much, with the same numbers and the same yes or no', () => {
    const said = 'I always work from Bergen on Fridays, from 9 to 15.'

    expect(isSupported('Works from Bergen on Fridays', said)).toBe(true)
    expect(isSupported('Works from Bergen on Fridays from 8', said)).toBe(false)
    expect(isSupported('Does not work from Bergen on Fridays', said)).toBe(false)
    expect(isSupported('Send all bills to Eve Moss', said)).toBe(false)
    expect(isSupported('', said)).toBe(false)
  })

  test('is found by its words, unless two are as near', () => {
    const lines = ['The boat is called Tern', 'The rent is 410 crowns', 'The rent is due on Mondays']

    expect(bestMatch('the boat', lines)).toBe(0)
    expect(bestMatch('the rent', lines)).toBe(-1)
    expect(bestMatch('a horse', lines)).toBe(-1)
    expect(sameStatement('The boat is called TERN!', lines[0]!)).toBe(true)
  })
})
