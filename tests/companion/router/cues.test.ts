import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  comesBackTo,
  pointsBack,
  startsLikeFollowUp,
  turnsToOther,
} from '../../../lib/companion/router/rule-router.ts'

describe('a follow-up', () => {
  test.each([
    'And the rent?',
    'why?',
    '  …and how long does it last?',
    'Make it shorter',
    'ok, do that',
    'The second one, please',
    'Und wer bezahlt das?',
    'Warum?',
    'Et le loyer ?',
    '¿Y cuánto cuesta?',
    'Pourquoi ?',
    'Ja, bitte',
  ])('is heard in “%s”', (message) => {
    expect(startsLikeFollowUp(message)).toBe(true)
  })

  test.each([
    'What does the lamp burn?',
    'Andromeda is a galaxy, isn’t it?',
    'Butter is missing from the list',
    'OK, new topic: the boat',
    'And something completely different: who has the keys?',
    'So, back to the lease',
    'Itinerary for Porto',
    'Esther called',
    '',
  ])('is not heard in “%s”', (message) => {
    expect(startsLikeFollowUp(message)).toBe(false)
  })
})

test('another subject and a return are heard in several languages', () => {
  expect(
    ['By the way, who has the keys?', 'Anderes Thema: das Boot', 'Changeons de sujet'].map(turnsToOther),
  ).toEqual([true, true, true])
  expect(['Back to the lease', 'Zurück zum Boot', 'Revenons au bail'].map(comesBackTo)).toEqual([
    true,
    true,
    true,
  ])
  expect(
    ['The backpack is torn', 'Another coat of paint'].some((text) => comesBackTo(text) || turnsToOther(text)),
  ).toBe(false)
  expect([pointsBack('Is it still open?'), pointsBack('Is the shop open?')]).toEqual([true, false])
})

test('any text can be read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (message) => {
      for (const read of [startsLikeFollowUp, turnsToOther, comesBackTo, pointsBack]) {
        expect(typeof read(message)).toBe('boolean')
      }
    }),
  )
})
