// What the log tells of who came in, who did not, and what was refused; and no secret in any of it.

import { Writable } from 'node:stream'
import request from 'supertest'
import { beforeEach, expect, test } from 'vitest'
import { createLogger } from '../../lib/core/logger.ts'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import { addPasskey, passkeyBrowser } from '../helpers/passkey-browser.ts'
import { makeAgent } from '../helpers/world.ts'

const lines: Record<string, unknown>[] = []
const destination = new Writable({
  write(chunk, _encoding, done) {
    lines.push(JSON.parse(String(chunk)))
    done()
  },
})
const void_ = await buildApp({ logger: createLogger('info', destination), trustProxy: 1 })
const { app, owner } = void_
const { token } = await makeAgent(void_, { slug: 'prober' })
const from = { 'X-Forwarded-For': '192.0.2.7' }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

beforeEach(() => {
  lines.length = 0
})

const told = (msg: string) => lines.filter((line) => line.msg === msg)

test('a browser that signs in and out is told of, with its address and device', async () => {
  const answer = await request(app)
    .post('/api/session')
    .set({ ...from, 'User-Agent': firefox })
    .send({ token: ownerToken })
  const cookie = String(answer.headers['set-cookie']).split(';')[0]!
  await request(app)
    .delete('/api/session')
    .set({ ...from, cookie, 'Sec-Fetch-Site': 'same-origin' })

  expect(told('signed in')).toEqual([
    expect.objectContaining({ address: '192.0.2.7', device: 'Firefox on Linux', time: expect.any(Number) }),
  ])
  expect(told('signed out')).toEqual([expect.objectContaining({ address: '192.0.2.7' })])
})

test('passkeys that are added and removed are told of', async () => {
  const browser = passkeyBrowser(app, from)
  await browser.signIn()
  const { id } = await addPasskey(browser, 'Secret name')
  await browser.send('delete', `/api/passkeys/${id}`)
  await browser.send('delete', '/api/passkeys')

  const address = '192.0.2.7'
  expect(told('passkey added')).toEqual([expect.objectContaining({ address, passkey: id })])
  expect(told('passkey removed')).toEqual([expect.objectContaining({ address, passkey: id })])
  expect(told('passkeys removed')).toEqual([expect.objectContaining({ address, removed: 0 })])
  expect(JSON.stringify(lines)).not.toContain('Secret name')
})

test.each([
  ['a wrong owner token', { Authorization: 'Bearer owner_wrong' }],
  ['an unknown agent token', { Authorization: 'Bearer agent_wrong' }],
  ['a session that has ended', { Cookie: 'void_session=session_wrong' }],
])('%s is told of with its address, not with what was offered', async (_, headers) => {
  const { status } = await request(app)
    .get('/api/spaces')
    .set({ ...from, ...headers })

  expect(status).toBe(401)
  expect(told('credentials rejected')).toEqual([expect.objectContaining({ address: '192.0.2.7' })])
  expect(JSON.stringify(lines)).not.toContain('_wrong')
})

test('without a proxy in front nobody chooses the address that is told', async () => {
  const direct = await buildApp({ database: void_.deps.database, logger: void_.deps.server.logger })
  await request(direct.app)
    .get('/api/spaces')
    .set({ ...from, 'X-Real-IP': '192.0.2.8', Authorization: 'Bearer owner_wrong' })

  expect(told('credentials rejected')).toEqual([
    expect.objectContaining({ address: expect.stringContaining('127.0.0.1') }),
  ])
})

test('a request without credentials is no attempt', async () => {
  await request(app).get('/api/spaces').set(from)

  expect(told('credentials rejected')).toEqual([])
})

test('what an agent may not do, and what is invalid, leaves a line with its path, status and request id', async () => {
  const { headers } = await void_.as(token).get('/api/audit?secret=query')
  await owner.post('/api/spaces').send({ name: '' })

  const refused = lines.flatMap(({ req, res, request_id }) => [
    [Object(req).path, Object(res).status, request_id],
  ])
  expect(refused).toEqual([
    ['/api/audit', 403, headers['x-request-id']],
    ['/api/spaces', 400, expect.any(String)],
  ])
  expect(JSON.stringify(lines)).not.toMatch(/secret=query|agent_[\w-]{20}/)
})

test('a text with line breaks stays within its line', async () => {
  await owner.get('/api/nothing%0a{"level":60,"msg":"forged"}')

  expect(lines.filter(({ msg }) => msg === 'forged')).toEqual([])
  expect(lines).toHaveLength(1)
})
