// An account that signs in by OAuth, at a token endpoint and a mail server that say what they are told to.

import { createServer as createHttp } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createAccountAccess } from '../../../lib/outside/mail/sync/account-access.ts'
import { buildApp } from '../../helpers/build-app.ts'

type Grant = { status?: number; body: unknown }

let asked: Record<string, string>[] = []
let grant: (request: Record<string, string>) => Grant
let accepted = new Set<string>()
let shown: string[] = []

const tokens = createHttp((request, response) => {
  let text = ''
  request.on('data', (bytes) => (text += bytes))
  request.on('end', () => {
    const fields = Object.fromEntries(new URLSearchParams(text))
    asked.push(fields)
    const { status = 200, body } = grant(fields)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
})

/** As much of IMAP as signing in and looking at one folder takes. */
const mail = createTcp((socket) => {
  socket.on('error', () => {})
  socket.write('* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2] ready\r\n')
  let rest = ''
  socket.on('data', (bytes) => {
    const lines = (rest + bytes.toString('latin1')).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) answer(socket, line)
  })
})

let refusing: string | null = null
let refusal = 'AUTHENTICATIONFAILED'
function answer(socket: Socket, line: string): void {
  const say = (...all: string[]) => socket.write(all.map((each) => `${each}\r\n`).join(''))
  if (refusing !== null) {
    say(`${refusing} NO [${refusal}] Try again`)
    refusing = null
    return
  }
  const [tag = '', command = '', mechanism = '', given = ''] = line.split(' ')
  switch (command.toUpperCase()) {
    case 'AUTHENTICATE': {
      const said = Buffer.from(given, 'base64').toString()
      shown.push(said)
      const token = said.split('\x01')[1]?.replace('auth=Bearer ', '') ?? ''
      if (mechanism === 'XOAUTH2' && accepted.has(token)) return void say(`${tag} OK signed in`)
      refusing = tag
      return void say(`+ ${Buffer.from('{"status":"401"}').toString('base64')}`)
    }
    case 'CAPABILITY':
      return void say('* CAPABILITY IMAP4rev1', `${tag} OK`)
    case 'LIST':
      return void say('* LIST (\\HasNoChildren) "/" INBOX', `${tag} OK`)
    case 'EXAMINE':
      return void say(
        '* FLAGS ()',
        '* 0 EXISTS',
        '* OK [UIDVALIDITY 1]',
        '* OK [UIDNEXT 1]',
        `${tag} OK [READ-ONLY]`,
      )
    case 'LOGOUT':
      return void say('* BYE', `${tag} OK`)
    default:
      return void say(`${tag} OK`)
  }
}

await Promise.all(
  [tokens, mail].map((each) => new Promise<void>((done) => each.listen(0, '127.0.0.1', done))),
)
afterAll(() => {
  tokens.close()
  mail.close()
})
const portOf = (server: { address: () => unknown }) => (server.address() as AddressInfo).port
const token_url = `http://127.0.0.1:${portOf(tokens)}/token`

let now = Date.parse('2026-11-20T12:00:00Z')
const { owner, deps } = await buildApp({ now: () => new Date(now) })
const { body: space } = await owner.post('/api/spaces').send({ name: 'Skerry Light' }).expect(201)

beforeEach(async () => {
  asked = []
  shown = []
  accepted = new Set(['access-1'])
  grant = () => ({ body: { access_token: 'access-1', token_type: 'Bearer', expires_in: 3600 } })
  for (const { id } of (await owner.get(`/api/spaces/${space.id}/mail-accounts`)).body.items) {
    await owner.delete(`/api/mail-accounts/${id}`)
  }
})

async function add(oauth: object = {}): Promise<string> {
  const { body } = await owner
    .post(`/api/spaces/${space.id}/mail-accounts`)
    .send({
      ...{ address: 'keeper@skerry.example', host: 'localhost', port: portOf(mail), security: 'none' },
      ...{ password: 'refresh-1', oauth: { token_url, client_id: 'void', client_secret: 'hush', ...oauth } },
    })
    .expect(201)
  expect(JSON.stringify(body)).not.toMatch(/refresh-1|hush/)
  return body.id
}

const tested = async (id: string) => (await owner.post(`/api/mail-accounts/${id}/test`).expect(200)).body

test('signs in with an access token, which is asked for once until it ends', async () => {
  const id = await add({ scope: 'imap' })

  expect(await tested(id)).toMatchObject({ ok: true, folders: ['INBOX'] })
  expect(await tested(id)).toMatchObject({ ok: true })
  expect(asked).toEqual([
    {
      ...{ grant_type: 'refresh_token', refresh_token: 'refresh-1', client_id: 'void' },
      ...{ client_secret: 'hush', scope: 'imap' },
    },
  ])
  expect(shown[0]).toBe('user=keeper@skerry.example\x01auth=Bearer access-1\x01\x01')

  now += 3_590_000
  expect(await tested(id)).toMatchObject({ ok: true })
  expect(asked).toHaveLength(2)
})

test('what is secret is stored as secrets, shown to nobody, and goes with the account', async () => {
  const id = await add()
  const { body } = await owner.get(`/api/spaces/${space.id}/mail-accounts`)
  const names = async () =>
    (await owner.get('/api/secrets')).body.items.map(({ name }: { name: string }) => name)

  expect(body.items[0].oauth).toEqual({ token_url, client_id: 'void', scope: '', has_client_secret: true })
  expect(JSON.stringify(body)).not.toMatch(/refresh-1|hush/)
  expect(await names()).toEqual(expect.arrayContaining([`mail-${id}`, `mail-${id}-client`]))
  const { rows } = await deps.database.query(
    'select oauth::text, password from mail_accounts where id = $1',
    [id],
  )
  expect(JSON.stringify(rows)).not.toMatch(/refresh-1|hush/)

  await owner.delete(`/api/mail-accounts/${id}`).expect(200)
  expect(await names()).toEqual([])
})

test('a token that the server refuses is renewed once', async () => {
  const id = await add()
  await tested(id)
  accepted = new Set(['access-2'])
  grant = () => ({ body: { access_token: 'access-2', expires_in: 3600 } })

  expect(await tested(id)).toMatchObject({ ok: true })
  expect(asked).toHaveLength(2)

  accepted = new Set()
  expect(await tested(id)).toMatchObject({ ok: false, error: expect.stringContaining('refused the access') })
  expect(asked).toHaveLength(3)
})

test('a server that cannot tell now does not end the sign-in', async () => {
  const id = await add()
  await tested(id)
  accepted = new Set()
  refusal = 'UNAVAILABLE'
  const { error } = await tested(id)
  refusal = 'AUTHENTICATIONFAILED'

  expect(error).not.toContain('refused the access')
  expect(asked).toHaveLength(1)
})

test('a new refresh token takes the place of the old one', async () => {
  const id = await add()
  grant = ({ refresh_token }) => ({
    body: {
      access_token: 'access-1',
      expires_in: 60,
      refresh_token: refresh_token === 'refresh-1' ? 'refresh-2' : 'refresh-3',
    },
  })
  await tested(id)
  now += 60_000
  await tested(id)

  expect(asked.map(({ refresh_token }) => refresh_token)).toEqual(['refresh-1', 'refresh-2'])
})

test('says what the provider refuses, and only by its code', async () => {
  const id = await add()
  grant = () => ({ status: 400, body: { error: 'invalid_grant', error_description: '<b>Click here</b>' } })
  const refused = await tested(id)
  expect(refused).toMatchObject({ ok: false })
  expect(refused.error).toBe(
    'The provider did not renew access (invalid_grant). Enter a new refresh token, or correct the client.',
  )

  const odd: Grant[] = [
    { status: 503, body: { error: 'temporarily_unavailable' } },
    { status: 200, body: 'not json' },
    { status: 200, body: { access_token: 'a\r\nb' } },
    { status: 200, body: { access_token: 7 } },
    { status: 302, body: '' },
    { status: 200, body: 'x'.repeat(200_000) },
  ]
  for (const each of odd) {
    grant = () => each
    expect((await tested(id)).error).toMatch(/^The provider did not renew access/)
  }
  expect(shown).toEqual([])
})

test('a change keeps the client’s secret, and a password again needs no provider', async () => {
  const id = await add()
  const oauth = { token_url, client_id: 'other' }
  await owner.patch(`/api/mail-accounts/${id}`).send({ oauth }).expect(200)
  await tested(id)
  expect(asked).toMatchObject([{ client_id: 'other', client_secret: 'hush' }])

  const { body } = await owner
    .patch(`/api/mail-accounts/${id}`)
    .send({ oauth: null, password: 'x' })
    .expect(200)
  expect(body.oauth).toBeNull()
  await tested(id)
  expect(asked).toHaveLength(1)
})

test('a refresh token does not travel in the open', async () => {
  const send = (url: string) =>
    owner.post(`/api/spaces/${space.id}/mail-accounts`).send({
      ...{ address: 'a@b.example', host: 'b.example', port: 993, security: 'tls', password: 'x' },
      oauth: { token_url: url, client_id: 'void' },
    })
  for (const url of ['http://tokens.example/', 'file:///etc/passwd']) {
    expect((await send(url)).status).toBe(400)
  }
  expect((await send('https://tokens.example/')).status).toBe(201)
})

const granted = {
  ...{
    id: 'a',
    host: 'localhost',
    port: 143,
    security: 'none' as const,
    username: 'keeper',
    password: 'secret:x',
  },
  oauth: { token_url, client_id: 'void', scope: '', client_secret: null },
  updated_at: '',
}

test('of two that need a token at once one asks for it', async () => {
  let asks = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const access = createAccountAccess({
    database: deps.database,
    secrets: { resolve: async () => 'refresh-1', put: async () => {} },
    now: () => new Date(now),
    fetchFor: () => async () => {
      asks += 1
      await promise
      return Response.json({ access_token: 'access-1', expires_in: 3600 })
    },
  })
  const connect = async (address: object) => JSON.stringify(address)
  const both = [1, 2].map(() => access.connect(connect, granted, AbortSignal.timeout(60_000)))
  resolve()

  for (const address of await Promise.all(both)) expect(address).toContain('"access_token":"access-1"')
  expect(asks).toBe(1)
})

test('of two servers none uses a refresh token that the other has used', async () => {
  let stored = 'refresh-1'
  const uses: string[] = []
  const server = () =>
    createAccountAccess({
      database: deps.database,
      secrets: {
        resolve: async () => stored,
        put: async (_, value) => {
          stored = value
        },
      },
      now: () => new Date(now),
      fetchFor: () => async (_, init) => {
        uses.push(new URLSearchParams(String(init?.body)).get('refresh_token')!)
        const number = uses.length + 1
        await wait(200)
        return Response.json({ access_token: `access-${number}`, refresh_token: `refresh-${number}` })
      },
    })

  const both = [server(), server()]
  await Promise.all(
    both.map((access) => access.connect(async () => null, granted, AbortSignal.timeout(60_000))),
  )

  expect(uses).toEqual(['refresh-1', 'refresh-2'])
})
