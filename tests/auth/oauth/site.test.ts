import { expect, test } from 'vitest'
import { siteOf } from '../../../lib/auth/oauth/metadata.ts'

test.each([
  ['https://void.example', 'evil.example', 'https://void.example'],
  ['https://void.example', '127.0.0.1:3000', 'https://void.example'],
  ['http://localhost:3000', 'localhost:3000', 'http://localhost:3000'],
  ['https://example.org/void', 'evil.example', 'https://example.org/void'],
  [null, '127.0.0.1:3000', 'http://127.0.0.1:3000'],
  [null, 'LocalHost:3000', 'http://localhost:3000'],
  [null, '[::1]:3000', 'http://[::1]:3000'],
])('with %s, a request to %s is at %s', (publicUrl, host, issuer) => {
  expect(siteOf(publicUrl, host)).toEqual({ issuer, resource: `${issuer}/mcp` })
})

test.each([
  ['http://void.example', 'void.example'],
  ['http://example.com/void', 'example.com'],
  [null, 'void.example'],
  [null, 'localhost.evil.example'],
  [null, '127.0.0.1.evil.example:3000'],
  [null, '127.0.0.1:3000@evil.example'],
  [null, '127.0.0.1:99999'],
  [null, ''],
  [null, undefined],
])('with %s, there is none for a request to %s', (publicUrl, host) => {
  expect(siteOf(publicUrl, host)).toBeNull()
})
