import { describe, expect, test } from 'vitest'
import {
  bestMatch,
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
    ['Dr. Ann Lee is my dentist. Hi.', 'is my dentist', 'Dr. Ann Lee is my dentist.'],
    ['今天很好。我住在奥斯陆。谢谢', '我住在奥斯陆', '我住在奥斯陆。'],
    ['She said: "I live in Oslo"', 'I live in Oslo', null],
    ['Anna schrieb: „Ich wohne in Oslo“ gestern', 'Ich wohne in Oslo', null],
    ['“I live in Oslo.”', 'I live in Oslo', '“I live in Oslo.”'],
    ['He said "no". I live in Oslo. "Yes".', 'I live in Oslo', 'I live in Oslo.'],
    ['The boat is called “Tern” now', 'The boat is called “Tern”', 'The boat is called “Tern” now'],
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
    ['Si j’habitais à Oslo, je ramerais', false],
    ['Si viviera en Oslo', false],
    ['Il mio cane si chiama Rex', true],
    ['Als ik in Oslo woonde', false],
    ['Hvis jeg boede i Oslo', false],
    ['Gdybym mieszkał w Oslo', false],
    ['Если бы я жил в Осло', false],
    ['如果我住在奥斯陆', false],
    ['もし私がオスロに住んでいたら', false],
    ['我住在奥斯陆吗', false],
    ['I wish I lived in Oslo', false],
    ['Tell me where I live', false],
  ])('%s', (sentence, isOne) => {
    expect(statementProblem(sentence) === null).toBe(isOne)
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
