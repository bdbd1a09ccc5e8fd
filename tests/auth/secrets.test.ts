import { expect, test } from 'vitest'
import { hashSecret, isSameSecret, newSecret } from '../../lib/auth/owner-token.ts'

test('a secret has 256 bits, named by its prefix, and no two are equal', () => {
  const made = Array.from({ length: 2000 }, () => newSecret('agent'))

  expect(new Set(made).size).toBe(2000)
  for (const secret of made) {
    const [, random] = /^agent_([\w-]{43})$/.exec(secret) ?? []
    expect(Buffer.from(random!, 'base64url')).toHaveLength(32)
  }
})

test('of all bits of many secrets about half are set', () => {
  const bytes = Buffer.concat(
    Array.from({ length: 2000 }, () => Buffer.from(newSecret('x').slice(2), 'base64url')),
  )
  const set = bytes.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)

  // Half a million fair coins: one in a billion runs is off by more than 0.5 %.
  expect(Math.abs(set / (bytes.length * 8) - 0.5)).toBeLessThan(0.005)
})

test('a secret is stored as its SHA-256 and compared whole', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(isSameSecret('abc', 'abc')).toBe(true)
  for (const other of ['', 'ab', 'abcd', 'ABC', 'abc ']) expect(isSameSecret('abc', other)).toBe(false)
})
