// A passkey as the second step of signing in: what opens a session, and everything that must not.

import request from 'supertest'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import { addPasskey, origin, passkeyBrowser } from '../helpers/passkey-browser.ts'
import { makeSoftwareKey, type SoftwareKey } from '../helpers/software-key.ts'
import { testDb } from '../helpers/test-db.ts'

const minuteMs = 60_000
const database = await testDb()
let clock = new Date('2030-05-01T12:00:00Z')
const now = () => clock
const { app, owner } = await buildApp({ database, now, trustProxy: 1 })
const later = (minutes: number) => {
  clock = new Date(clock.getTime() + minutes * minuteMs)
}

let address = 0
/** Each from an address of its own, so that no test guesses for another. */
const browserOf = (which = app) => {
  address += 1
  return passkeyBrowser(which, { 'X-Forwarded-For': `2001:db8:${address.toString(16)}::1` })
}
const signedIn = async () => {
  const browser = browserOf()
  await browser.signIn()
  return browser
}
/** A key of the owner; every other one is removed. */
const onlyKey = async (key?: SoftwareKey) => {
  await owner.delete('/api/passkeys')
  return await addPasskey(await signedIn(), 'Laptop', key)
}

beforeEach(async () => {
  await owner.delete('/api/passkeys')
})

describe('with a passkey', () => {
  test('the owner token gives no session until the passkey confirms', async () => {
    const { key } = await onlyKey()
    const browser = browserOf()

    const first = await browser.signIn()
    const between = await browser.hasSession()
    const second = await browser.finish(key.answer(first.body.error.details.passkey))

    expect([first.status, first.body.error.code]).toEqual([403, 'passkey_required'])
    expect(first.headers['set-cookie']).toBeUndefined()
    expect(between).toBe(false)
    expect(second.status).toBe(204)
    expect(await browser.hasSession()).toBe(true)
  })

  test('neither does a one-time code, which is used up', async () => {
    const { key } = await onlyKey()
    const { code } = (await owner.post('/api/session/codes')).body
    const browser = browserOf()

    const pending = await browser.pending(code)
    const again = await browser.signIn(code)
    await browser.finish(key.answer(pending))

    expect(again.status).toBe(401)
    expect(await browser.hasSession()).toBe(true)
  })

  test('neither does the form, whose next page asks for the passkey', async () => {
    await onlyKey()
    const answer = await request(app)
      .post('/sign-in')
      .set('Host', 'localhost')
      .type('form')
      .send({ token: ownerToken, next: '/spaces' })

    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined])
    expect(answer.text).toContain('Confirm with your passkey')
    expect(answer.text).toContain('"next":"/spaces"')
    expect(answer.text).not.toContain(ownerToken)
  })

  test('the API takes the owner token alone', async () => {
    await onlyKey()

    expect((await owner.get('/api/spaces')).status).toBe(200)
  })

  test('any server on the database ends what another one began', async () => {
    const other = await buildApp({ database, now })
    const { key } = await onlyKey()
    const pending = await browserOf().pending()
    const browser = browserOf(other.app)

    await browser.finish(key.answer(pending))

    expect(await browser.hasSession()).toBe(true)
  })

  test('its last use is listed', async () => {
    const { key, id } = await onlyKey()
    const created_at = clock.toISOString()
    later(1)
    const browser = browserOf()
    await browser.finish(key.answer(await browser.pending()))

    const { body } = await owner.get('/api/passkeys')

    expect(body.items).toEqual([
      { id, name: 'Laptop', host: 'localhost', created_at, last_used_at: clock.toISOString() },
    ])
  })

  test('a device that does not count confirms again and again', async () => {
    const { key } = await onlyKey(makeSoftwareKey({ origin, counts: false }))
    const statuses = []
    for (const browser of [browserOf(), browserOf()]) {
      statuses.push((await browser.finish(key.answer(await browser.pending()))).status)
    }

    expect(statuses).toEqual([204, 204])
  })
})

describe('no session comes of', () => {
  type Attempt = (key: SoftwareKey, id: string) => Promise<{ answer: ReturnType<SoftwareKey['answer']> }>
  const pending = () => browserOf().pending()

  test.each<[string, string, Attempt]>([
    [
      'an answer given at another address',
      'wrong_origin',
      async (key) => ({
        answer: makeSoftwareKey({ origin: 'http://localhost.example', copyOf: key }).answer(await pending()),
      }),
    ],
    [
      'an answer for another host name',
      'passkey_rejected',
      async (key) => ({ answer: key.answer({ ...(await pending()), rpId: 'void.example' }) }),
    ],
    [
      'a passkey of somebody else',
      'unknown_passkey',
      async () => ({ answer: makeSoftwareKey({ origin }).answer(await pending()) }),
    ],
    [
      'a signature by another key',
      'passkey_rejected',
      async (key) => ({ answer: { ...makeSoftwareKey({ origin }).answer(await pending()), id: key.id } }),
    ],
    [
      'a passkey that was removed meanwhile',
      'unknown_passkey',
      async (key, id) => {
        await addPasskey(await confirmed(key))
        const answer = key.answer(await pending())
        await owner.delete(`/api/passkeys/${id}`)
        return { answer }
      },
    ],
    [
      'an answer that was used before',
      'challenge_expired',
      async (key) => {
        const browser = browserOf()
        const answer = key.answer(await browser.pending())
        await browser.finish(answer)
        return { answer }
      },
    ],
    [
      'a challenge that a wrong answer has used up',
      'challenge_expired',
      async (key) => {
        const options = await pending()
        await browserOf().finish(makeSoftwareKey({ origin }).answer(options))
        return { answer: key.answer(options) }
      },
    ],
    [
      'a challenge of more than five minutes ago',
      'challenge_expired',
      async (key) => {
        const answer = key.answer(await pending())
        later(5)
        return { answer }
      },
    ],
    [
      'a challenge that was made up',
      'challenge_expired',
      async (key) => ({ answer: key.answer({ challenge: 'bWFkZSB1cA', rpId: 'localhost' }) }),
    ],
    [
      'a challenge to confirm a session',
      'challenge_expired',
      async (key) => ({ answer: key.answer(await (await confirmed(key)).challenge()) }),
    ],
    [
      'a challenge from before everybody was signed out',
      'challenge_expired',
      async (key) => {
        const answer = key.answer(await pending())
        await owner.delete('/api/sessions')
        return { answer }
      },
    ],
    [
      'a copy of a passkey whose counter is behind',
      'passkey_cloned',
      async (key) => {
        const browser = browserOf()
        await browser.finish(key.answer(await browser.pending()))
        return { answer: makeSoftwareKey({ origin, counter: 1, copyOf: key }).answer(await pending()) }
      },
    ],
    [
      'client data that are no JSON',
      'challenge_expired',
      async (key) => ({ answer: { ...key.answer(await pending()), client_data: 'e30' } }),
    ],
    [
      'authenticator data that end early',
      'passkey_rejected',
      async (key) => ({ answer: { ...key.answer(await pending()), authenticator_data: 'AAAA' } }),
    ],
  ])('%s', async (_, code, attempt) => {
    const { key, id } = await onlyKey()
    const { answer } = await attempt(key, id)
    const browser = browserOf()

    const { status, body, headers } = await browser.finish(answer)

    expect([status, body.error.code]).toEqual([401, code])
    expect(headers['set-cookie']).toBeUndefined()
  })

  async function confirmed(key: SoftwareKey) {
    const browser = browserOf()
    await browser.finish(key.answer(await browser.pending()))
    return browser
  }

  test('all but one of the answers to one challenge, sent at once', async () => {
    const { key } = await onlyKey()
    const options = await browserOf().pending()
    const answers = Array.from({ length: 8 }, () => key.answer(options))

    const sent = await Promise.all(answers.map((answer) => browserOf().finish(answer)))

    expect(sent.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(401)])
  })

  test('all but one of the copies that show the same counter at once', async () => {
    const { key } = await onlyKey()
    const copies = Array.from({ length: 6 }, () => makeSoftwareKey({ origin, counter: 5, copyOf: key }))
    const pendings = await Promise.all(copies.map(() => browserOf().pending()))

    const sent = await Promise.all(copies.map((copy, n) => browserOf().finish(copy.answer(pendings[n]))))

    expect(sent.filter(({ status }) => status === 204)).toHaveLength(1)
  })

  test('a challenge that fifty newer ones have followed', async () => {
    const { key } = await onlyKey()
    const first = key.answer(await browserOf().pending())
    for (let n = 0; n < 50; n += 1) {
      later(1 / 60)
      await browserOf().pending()
    }

    expect((await browserOf().finish(first)).body.error.code).toBe('challenge_expired')
    const { rows } = await database.query<{ count: number }>('select count(*) from passkey_challenges', [])
    expect(rows[0]?.count).toBeLessThanOrEqual(50)
  })

  test('a challenge that another owner token asked for', async () => {
    const { key } = await onlyKey()
    const options = await browserOf().pending()
    await database.query(`update passkey_challenges set owner_token_hash = 'another'`, [])

    expect((await browserOf().finish(key.answer(options))).body.error.code).toBe('challenge_expired')
  })
})

test('wrong answers count as wrong tokens', async () => {
  const { key } = await onlyKey()
  const browser = browserOf()
  const foreign = { challenge: 'bWFkZSB1cA', rpId: 'localhost' }
  for (let guess = 0; guess < 30; guess += 1) await browser.finish(key.answer(foreign))

  expect((await browser.finish(key.answer(foreign))).status).toBe(429)
  expect((await browser.signIn()).status).toBe(429)
  expect((await browserOf().signIn()).status).toBe(403)
})
