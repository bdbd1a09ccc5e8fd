import { expect, test } from 'vitest'
import { createOwnTurns } from '../../../public/rail/conversation/run-effects.ts'

function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>()
  return { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => void kept.set(name, value) }
}

test('an effect is carried out once, also after a reload', () => {
  const kept = storage()
  const own = createOwnTurns(kept)
  own.begin('turn-1')

  expect(own.claim('turn-1', 5, 'open the lease')).toBe(true)
  expect(own.claim('turn-1', 5, 'open the lease')).toBe(false)
  expect(createOwnTurns(kept).claim('turn-1', 5, 'open the lease')).toBe(false)
  expect(createOwnTurns(kept).claim('turn-1', 6, 'open the lamp')).toBe(true)
})

test('what a server that took the turn up tells again, under another number, is not done again', () => {
  const own = createOwnTurns(storage())
  own.begin('turn-1')
  own.claim('turn-1', 5, 'open the lease')

  expect(own.claim('turn-1', 1_000_005, 'open the lease')).toBe(false)
  expect(own.claim('turn-1', 1_000_006, 'open the lamp')).toBe(true)
})

test('a turn that another tab began is only watched', () => {
  expect(createOwnTurns(storage()).claim('turn-1', 5, 'open the lease')).toBe(false)
})

test('what is stored in another form counts for nothing', () => {
  for (const text of ['{', '[["turn-1",5]]', '{"turn-1":5}', 'null']) {
    const own = createOwnTurns({ getItem: () => text, setItem: () => {} })
    expect(own.claim('turn-1', 9, 'open the lease')).toBe(false)
  }
})
