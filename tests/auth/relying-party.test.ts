import { describe, expect, test } from 'vitest'
import { relyingPartyOf } from '../../lib/auth/verify-passkey.ts'

test.each([
  ['https://void.example', 'void.example', 'https://void.example'],
  ['https://void.example:8443/notes/', 'void.example', 'https://void.example:8443'],
  ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
])('%s has passkeys for %s', (address, id, origin) => {
  expect(relyingPartyOf(address)).toEqual({ id, origin })
})

describe('no passkeys', () => {
  test.each([
    ['http://127.0.0.1:3000', 'not an IP address'],
    ['https://192.0.2.7', 'not an IP address'],
    ['https://[::1]:3000', 'not an IP address'],
    ['http://2130706433', 'not an IP address'],
    ['http://void.example', 'need HTTPS'],
    ['http://localhost.example', 'need HTTPS'],
    ['http://localhost:999999', 'need a host name'],
    ['', 'need a host name'],
  ])('at %s', (address, reason) => {
    expect(() => relyingPartyOf(address)).toThrow(reason)
  })
})
