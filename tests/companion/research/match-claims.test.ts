import { expect, test } from 'vitest'
import { matchClaims } from '../../../lib/companion/research/compare/match-claims.ts'

test('claims are matched in other words, and not with another value', () => {
  const previous = [
    'The lamp turns once in twelve seconds.',
    'The lamp burns rapeseed oil.',
    'Ada hired Ben.',
  ]
  const current = [
    'Rapeseed oil is burned by the lamp.',
    'The lamp turns once in thirty seconds.',
    'Ben hired Ada.',
  ]

  expect(matchClaims({ previous, current })).toEqual([-1, 0, -1])
})
