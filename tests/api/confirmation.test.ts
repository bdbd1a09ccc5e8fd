// What a browser may do only shortly after its owner has signed in or confirmed.

import { beforeEach, describe, expect, test } from 'vitest'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import { addPasskey, type PasskeyBrowser, passkeyBrowser } from '../helpers/passkey-browser.ts'

let clock = new Date('2030-05-01T12:00:00Z')
const { app, owner } = await buildApp({ now: () => clock })
const later = (minutes: number) => {
  clock = new Date(clock.getTime() + minutes * 60_000)
}
const signedIn = async () => {
  const browser = passkeyBrowser(app)
  await browser.signIn()
  return browser
}
const anyone = '01900000-0000-7000-8000-000000000000'
const guarded: ['post' | 'delete', string][] = [
  ['delete', `/api/sessions/${anyone}`],
  ['delete', '/api/sessions'],
  ['post', '/api/passkeys/options'],
  ['delete', `/api/passkeys/${anyone}`],
  ['delete', '/api/passkeys'],
]
const codeOf = async (browser: PasskeyBrowser, method: 'post' | 'delete', path: string) =>
  (await browser.send(method, path)).body.error?.code

beforeEach(async () => {
  await owner.delete('/api/passkeys')
})

describe('fifteen minutes after signing in', () => {
  test.each(guarded)('%s %s asks for a confirmation first', async (method, path) => {
    const browser = await signedIn()
    later(14)
    const early = await codeOf(browser, method, path)
    const again = await signedIn()
    later(15)

    expect(early).not.toBe('confirmation_required')
    expect(await codeOf(again, method, path)).toBe('confirmation_required')
  })

  test('the rest goes on', async () => {
    const browser = await signedIn()
    later(60)

    expect((await browser.send('get', '/api/sessions')).status).toBe(200)
    expect((await browser.send('delete', '/api/session')).status).toBe(204)
  })
})

test('without a passkey the owner token confirms, or a code, and a wrong one counts as a guess', async () => {
  const browser = await signedIn()
  later(15)
  const how = await browser.challenge()
  const wrong = await browser.confirm({ token: 'owner_wrong' })
  const before = await codeOf(browser, 'post', '/api/passkeys/options')
  const right = await browser.confirm({ token: ownerToken })
  const after = await browser.send('delete', '/api/passkeys')
  later(15)
  const { code } = (await owner.post('/api/session/codes')).body
  const byCode = await browser.confirm({ token: code })

  expect(how).toBeNull()
  expect([wrong.status, before]).toEqual([401, 'confirmation_required'])
  expect([right.status, after.status, byCode.status]).toEqual([204, 200, 204])
})

test('with a passkey nothing else confirms, and only the session that asked', async () => {
  const [browser, other] = [await signedIn(), await signedIn()]
  const { key, id } = await addPasskey(browser)
  later(15)

  const byToken = await browser.confirm({ token: ownerToken })
  const stolen = await other.confirm({ passkey: key.answer(await browser.challenge()) })
  const before = await browser.send('delete', `/api/passkeys/${id}`)
  const right = await browser.confirm({ passkey: key.answer(await browser.challenge()) })
  const after = await browser.send('delete', `/api/passkeys/${id}`)

  expect([byToken.status, stolen.status]).toEqual([401, 401])
  expect(stolen.body.error.code).toBe('challenge_expired')
  expect([before.status, right.status, after.status]).toEqual([403, 204, 204])
})

test('a session that has ended has nothing to confirm', async () => {
  const browser = await signedIn()
  const { key } = await addPasskey(browser)
  const options = await browser.challenge()
  await owner.delete('/api/sessions')

  expect((await browser.confirm({ passkey: key.answer(options) })).status).toBe(401)
})

test('a bearer token is the confirmation, and has no session to confirm', async () => {
  expect((await owner.delete('/api/passkeys')).status).toBe(200)
  expect((await owner.post('/api/session/challenge')).status).toBe(403)
  expect((await owner.post('/api/session/confirm').send({ token: ownerToken })).status).toBe(403)
})
