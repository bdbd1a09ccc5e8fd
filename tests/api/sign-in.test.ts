// Signing browsers in and out: one-time codes, the cookie, sessions and their ends.

import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { buildApp, ownerToken } from '../helpers/build-app.ts'

const start = new Date('2030-05-01T12:00:00Z').getTime()
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
let clock = new Date(start)
const void_ = await buildApp({ now: () => clock, trustProxy: 1 })
const { app, owner } = void_
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const newCode = async () => (await owner.post('/api/session/codes')).body
const submit = (fields: object, headers = {}) =>
  request(app)
    .post('/sign-in')
    .type('form')
    .set({ 'User-Agent': firefox, ...headers })
    .send(fields)
const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  String(answer.headers['set-cookie'] ?? '').split(';')[0]!
const get = (path: string, cookie: string) => request(app).get(path).set('Cookie', cookie)
const signedIn = async () => cookieOf(await submit({ token: ownerToken }))

describe('a one-time code', () => {
  test('signs in by a press of the button on its page, and once', async () => {
    const { code, url } = await newCode()
    const { pathname, search } = new URL(url)

    const page = await request(app).get(pathname + search)
    const first = await submit({ code, next: '/spaces' })
    const second = await submit({ code })

    expect(page.status).toBe(200)
    expect(page.headers['set-cookie']).toBeUndefined()
    expect(page.text).toContain(`name="code" value="${code}"`)
    expect([first.status, first.headers.location]).toEqual([303, '/spaces'])
    expect((await get('/api/spaces', cookieOf(first))).status).toBe(200)
    expect([second.status, second.headers['set-cookie']]).toEqual([401, undefined])
  })

  test('is valid for ten minutes', async () => {
    const [early, late] = [await newCode(), await newCode()]
    clock = new Date(start + 9 * minuteMs)
    const inTime = await submit({ code: early.code })
    clock = new Date(start + 11 * minuteMs)

    expect(inTime.status).toBe(303)
    expect((await submit({ code: late.code })).status).toBe(401)
  })

  test('is not used up at an address that has guessed too often', async () => {
    const { code } = await newCode()
    const from = (address: string) => ({ 'X-Forwarded-For': address })
    for (let guess = 0; guess < 30; guess += 1) await submit({ code: `no ${guess}` }, from('192.0.2.5'))

    expect((await submit({ code }, from('192.0.2.5'))).status).toBe(429)
    expect((await submit({ code }, from('192.0.2.6'))).status).toBe(303)
  })

  test('is the owner’s to make', async () => {
    expect((await request(app).post('/api/session/codes')).status).toBe(401)
  })
})

test('the field for the token hides it, and a password manager may fill it in', async () => {
  const { text } = await request(app).get('/sign-in')

  expect(text).toMatch(/<input[^>]* type="password"[^>]* autocomplete="current-password"/)
})

test('the owner token in an address signs nobody in', async () => {
  const answer = await request(app).get(`/sign-in?token=${ownerToken}`)

  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(answer.text).not.toContain(ownerToken)
})

test('a page elsewhere cannot submit the form', async () => {
  const answer = await submit({ token: ownerToken }, { 'Sec-Fetch-Site': 'cross-site' })

  expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
})

test('over HTTPS the cookie is bound to the host, and the plain one does not count', async () => {
  const https = { 'X-Forwarded-Proto': 'https' }
  const answer = await submit({ token: ownerToken }, https)
  const [name, value] = cookieOf(answer).split('=')
  const as = (cookie: string) => get('/api/spaces', cookie).set(https)

  expect(name).toBe('__Host-void_session')
  expect(String(answer.headers['set-cookie'])).toMatch(/Path=\/;.*Secure/)
  expect((await as(`__Host-void_session=${value}`)).status).toBe(200)
  expect((await as(`void_session=${value}`)).status).toBe(401)
})

describe('a session', () => {
  test('ends after a week without use, and a month after it began', async () => {
    const [used, idle] = [await signedIn(), await signedIn()]
    const began = clock.getTime()
    const statuses = []
    for (let day = 5; day <= 35; day += 5) {
      clock = new Date(began + day * dayMs - minuteMs)
      statuses.push((await get('/api/spaces', used)).status)
    }

    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 401])
    expect((await get('/api/spaces', idle)).status).toBe(401)
  })

  test('is listed with its device and last use, and can be signed out from another one', async () => {
    await owner.delete('/api/sessions')
    const mine = await signedIn()
    clock = new Date(clock.getTime() + 5 * minuteMs)
    const other = cookieOf(await submit({ token: ownerToken }, { 'User-Agent': '<script>/1.0' }))
    clock = new Date(clock.getTime() + 5 * minuteMs)

    const { body } = await get('/api/sessions', mine)
    const away = body.items.find(({ current }: { current: boolean }) => !current)
    const ended = await request(app)
      .delete(`/api/sessions/${away.id}`)
      .set({ Cookie: mine, 'Sec-Fetch-Site': 'same-origin' })

    expect(body.items).toMatchObject([
      { device: 'Firefox on Linux', current: true },
      { device: '', current: false, last_used_at: new Date(clock.getTime() - 5 * minuteMs).toISOString() },
    ])
    expect(ended.status).toBe(204)
    expect((await get('/api/spaces', other)).status).toBe(401)
    expect((await get('/api/spaces', mine)).status).toBe(200)
  })

  test('ends when its browser signs in again', async () => {
    const first = await signedIn()
    const second = cookieOf(await submit({ token: ownerToken }, { Cookie: first }))

    expect((await get('/api/spaces', first)).status).toBe(401)
    expect((await get('/api/spaces', second)).status).toBe(200)
  })

  test.each([
    ['delete', '/api/session'],
    ['delete', '/api/sessions'],
    ['post', '/sign-out'],
  ] as const)(
    'that is signed out by %s %s takes with it what the browser has stored',
    async (method, path) => {
      const answer = await request(app)
        [method](path)
        .set({ Cookie: await signedIn(), 'Sec-Fetch-Site': 'same-origin' })

      expect(answer.headers['clear-site-data']).toBe('"cache", "storage"')
    },
  )

  test('and every other, and every code, ends by signing out everywhere', async () => {
    const cookies = [await signedIn(), await signedIn()]
    const { code } = await newCode()

    await request(app).delete('/api/sessions').set({ Cookie: cookies[0]!, 'Sec-Fetch-Site': 'same-origin' })

    for (const cookie of cookies) expect((await get('/api/spaces', cookie)).status).toBe(401)
    expect((await submit({ code })).status).toBe(401)
  })
})
