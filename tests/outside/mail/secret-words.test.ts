// What a mail server says of a sign-in, which it likes to repeat.

import { expect, test } from 'vitest'
import { createAccountAccess } from '../../../lib/outside/mail/sync/account-access.ts'

const password = 'gK4/Zq+marsh=77&x'
const account = {
  ...{ id: 'a', host: 'b.example', port: 993, security: 'tls' as const, username: 'anna' },
  ...{ password: 'secret:mail', oauth: null, updated_at: '' },
}

async function problemFor(error: object): Promise<string> {
  const access = createAccountAccess({
    database: null as never,
    secrets: { resolve: async () => password, put: async () => {} },
    now: () => new Date(0),
  })
  const refused = await access
    .connect(
      async () => Promise.reject(Object.assign(new Error('Command failed'), error)),
      account,
      AbortSignal.timeout(1000),
    )
    .catch((reason: unknown) => reason)
  return access.problemOf(refused).message
}

test.each([
  ['as it is', password, password],
  ['of AUTHENTICATE PLAIN', Buffer.from(`\0anna\0${password}`).toString('base64'), 'Z0s0'],
  ['of AUTHENTICATE LOGIN', Buffer.from(password).toString('base64'), 'Z0s0'],
  ['quoted', JSON.stringify(password), 'marsh'],
  ['percent-encoded', encodeURIComponent(password), 'marsh'],
  ['reversed', password.split('').reverse().join(''), 'hsram'],
])('a password is not in why an account failed, %s', async (_, said, part) => {
  const refused = await problemFor({ authenticationFailed: true, responseText: `Bad sign-in ${said}` })
  const later = await problemFor({ responseText: `Unknown command ${said}` })
  const network = await problemFor({ message: `lost after ${said}` })

  expect(refused).toMatch(/^The server refused the user name or the password\. It says: Bad sign-in \S*…/)
  for (const message of [refused, later, network]) expect(message).not.toContain(part)
})

test('one that is cut short by the length of an error is not left in half', async () => {
  const message = await problemFor({ responseText: `${'x'.repeat(190)} ${password}` })

  expect(message).not.toContain('gK4')
})
