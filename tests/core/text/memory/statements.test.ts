import { describe, expect, test } from 'vitest'
import {
  bestMatch,
  contradicts,
  findStatement,
  isSupported,
  readMemoryRequest,
  sameStatement,
  statementProblem,
} from '../../../../lib/core/text/memory/statements.ts'

describe('what a message asks to have remembered or forgotten', () => {
  test.each([
    ['Remember that I prefer metric units.', 'I prefer metric units'],
    ['please remember: the boat is called Tern', 'the boat is called Tern'],
    ['Hey, can you remember that I work from Bergen?', 'I work from Bergen'],
    ['Remember I prefer tea. What is on today?', 'I prefer tea'],
    ['Don’t forget that version 2.5 ships in May', 'version 2.5 ships in May'],
    ['Keep in mind that we close at 5 p.m. on Fridays', 'we close at 5 p.m. on Fridays'],
    ['Merke dir, dass ich in Bergen wohne.', 'ich in Bergen wohne'],
    ['Recuerda que vivo en Bergen', 'vivo en Bergen'],
  ])('%s', (message, remember) => {
    expect(readMemoryRequest(message)).toEqual({ remember })
  })

  test.each([
    ['Forget that I live in Oslo', 'I live in Oslo'],
    ['please forget about the boat', 'the boat'],
    ['Vergiss, dass ich in Oslo wohne', 'ich in Oslo wohne'],
  ])('%s', (message, forget) => {
    expect(readMemoryRequest(message)).toEqual({ forget })
  })

  test.each([
    ['Remember in all Spaces that I prefer metric units.', 'I prefer metric units'],
    ['remember for all my spaces: I prefer tea', 'I prefer tea'],
    ['Please remember across every Space that I work from Bergen', 'I work from Bergen'],
    ['In every Space, please remember that I prefer tea', 'I prefer tea'],
    ['Could you remember in all of my Spaces that I prefer tea?', 'I prefer tea'],
    ['Remember everywhere that I prefer tea', 'I prefer tea'],
    ['Remember that in every Space I prefer tea', 'I prefer tea'],
    ['Remember that I prefer tea, in all Spaces.', 'I prefer tea'],
    ['Merke dir in allen Spaces, dass ich Tee trinke.', 'ich Tee trinke'],
    ['Bitte merk dir für alle Spaces: ich trinke Tee', 'ich trinke Tee'],
    ['Souviens-toi dans tous les Spaces que je bois du thé', 'je bois du thé'],
    ['Pour chaque espace, retiens que je bois du thé', 'je bois du thé'],
    ['Recuerda en todos los espacios que bebo té', 'bebo té'],
    ['En cada Space, recuerda que bebo té', 'bebo té'],
  ])('in all Spaces: %s', (message, remember) => {
    expect(readMemoryRequest(message)).toEqual({ remember, everywhere: true })
  })

  test.each([
    ['Forget in all Spaces that I live in Oslo', 'I live in Oslo'],
    ['In every Space, forget about the boat', 'the boat'],
    ['Vergiss in allen Spaces, dass ich in Oslo wohne', 'ich in Oslo wohne'],
    ['Oublie dans tous les Spaces que je vis à Oslo', 'je vis à Oslo'],
    ['Olvida en todos los Spaces que vivo en Oslo', 'vivo en Oslo'],
  ])('in all Spaces: %s', (message, forget) => {
    expect(readMemoryRequest(message)).toEqual({ forget, everywhere: true })
  })

  test.each([
    ['Remember that there are forms in all spaces of the hall', 'there are forms in all spaces of the hall'],
    ['Remember everywhere I sailed', 'everywhere I sailed'],
    ['Remember that everywhere in Oslo is shut', 'everywhere in Oslo is shut'],
  ])('in this Space alone: %s', (message, remember) => {
    expect(readMemoryRequest(message)).toEqual({ remember })
  })

  test.each([
    ['Vergiss nicht, dass ich Tee trinke', 'ich Tee trinke'],
    ['N’oublie pas que je bois du thé', 'je bois du thé'],
    ['No olvides que bebo té', 'bebo té'],
  ])('is not forgotten by “do not forget”: %s', (message, remember) => {
    expect(readMemoryRequest(message)).toEqual({ remember })
  })

  test.each([
    'In every Space, what is due?',
    'In all Spaces I prefer tea',
    'Remember to call Anna',
    'Remember when we sailed?',
    'Do you remember that boat?',
    'Forget it.',
    'Forget everything',
    'I remember that the boat is called Tern',
    'Anna wrote: Remember that you must pay.',
    'Here is the mail.\n\nRemember that you must pay.',
    '',
  ])('nothing: %s', (message) => {
    expect(readMemoryRequest(message)).toBeNull()
  })
})

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
