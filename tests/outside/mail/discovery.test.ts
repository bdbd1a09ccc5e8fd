// Where the mailbox of an address is, with a network that answers as it is told.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import request from 'supertest'
import { afterAll, expect, test } from 'vitest'
import { createSafeFetch } from '../../../lib/core/net/safe-fetch.ts'
import { createDiscoverMailServer, type DiscoveryNetwork } from '../../../lib/outside/mail/discovery.ts'
import { buildApp } from '../../helpers/build-app.ts'

const publicIp = '93.184.215.14'

type Told = {
  srv?: Record<string, { name: string; port: number; priority?: number; weight?: number }[]>
  files?: Record<string, string>
  hosts?: Record<string, string[]>
}

function networkOf({ srv = {}, files = {}, hosts = {} }: Told) {
  const asked: string[] = []
  const network: DiscoveryNetwork = {
    async resolveSrv(name) {
      asked.push(name)
      const records = srv[name]
      if (!records) throw new Error('ENOTFOUND')
      return records.map((record) => ({ priority: 0, weight: 0, ...record }))
    },
    async resolve(host) {
      const addresses = hosts[host]
      if (!addresses) throw new Error('ENOTFOUND')
      return addresses
    },
    async fetch(url) {
      asked.push(String(url))
      const text = files[String(url)]
      return text === undefined ? new Response(null, { status: 404 }) : new Response(text)
    },
  }
  return { network, asked }
}

const discover = async (told: Told, address = 'anna@example.org') =>
  await createDiscoverMailServer(networkOf(told).network)(address)

const imap = (
  host: string,
  { port = '993', socket = 'SSL', username = '%EMAILADDRESS%', type = 'imap' } = {},
) =>
  `<incomingServer type="${type}"><hostname>${host}</hostname><port>${port}</port>
   <socketType>${socket}</socketType><username>${username}</username></incomingServer>`
const fileAt = 'https://autoconfig.example.org/mail/config-v1.1.xml'
const wellKnown = 'https://example.org/.well-known/autoconfig/mail/config-v1.1.xml'

test('DNS says where it is: the service of the best priority, then of the most weight', async () => {
  const found = await discover({
    srv: {
      '_imaps._tcp.example.org': [
        { name: 'c.mail.example', port: 993, priority: 20, weight: 9 },
        { name: 'a.mail.example', port: 993, priority: 10, weight: 1 },
        { name: 'B.mail.example.', port: 9993, priority: 10, weight: 5 },
      ],
    },
    hosts: { 'b.mail.example': [publicIp] },
    files: { [fileAt]: imap('other.example') },
  })

  expect(found).toEqual({
    ...{ host: 'b.mail.example', port: 9993, security: 'tls', username: 'anna@example.org', found: 'dns' },
  })
})

test('a dot for a service means none, and the file of the domain is asked', async () => {
  const found = await discover({
    srv: { '_imaps._tcp.example.org': [{ name: '.', port: 0 }] },
    files: {
      [fileAt]:
        imap('pop.example', { type: 'pop3' }) + imap('IMAP.mail.example', { username: '%EMAILLOCALPART%' }),
    },
    hosts: { 'imap.mail.example': [publicIp], 'pop.example': [publicIp] },
  })

  expect(found).toEqual({
    ...{ host: 'imap.mail.example', port: 993, security: 'tls', username: 'anna', found: 'autoconfig' },
  })
})

test('a file at the well-known address counts, and STARTTLS; a server without TLS does not', async () => {
  const found = await discover({
    files: {
      [wellKnown]:
        imap('plain.example', { socket: 'plain' }) + imap('tls.example', { port: '143', socket: 'STARTTLS' }),
    },
    hosts: { 'plain.example': [publicIp], 'tls.example': [publicIp] },
  })

  expect(found).toMatchObject({ host: 'tls.example', port: 143, security: 'starttls', found: 'autoconfig' })
})

test('without an answer it is the usual name that exists, or else imap', async () => {
  expect(await discover({ hosts: { 'mail.example.org': [publicIp] } })).toMatchObject({
    ...{ host: 'mail.example.org', port: 993, found: 'guess' },
  })
  expect(await discover({})).toMatchObject({ host: 'imap.example.org', found: 'guess' })
})

test('a host that is not of the public internet is not proposed', async () => {
  const privately = { 'inside.example': ['10.0.0.5'], 'both.example': [publicIp, '127.0.0.1'] }
  const found = await discover({
    srv: {
      '_imaps._tcp.example.org': [{ name: 'inside.example', port: 993 }],
      '_imap._tcp.example.org': [{ name: 'both.example', port: 143 }],
    },
    files: { [fileAt]: imap('both.example'), [wellKnown]: imap('169.254.169.254') },
    hosts: { ...privately, 'imap.example.org': ['192.168.0.1'] },
  })

  expect(found).toMatchObject({ host: 'imap.example.org', found: 'guess' })
})

test('an address without a public name asks nobody', async () => {
  for (const address of [
    'a@localhost',
    'a@127.0.0.1',
    'a@[::1]',
    'a@exa mple.org',
    'a@-',
    `a@${'x'.repeat(300)}.org`,
  ]) {
    const { network, asked } = networkOf({})
    const found = await createDiscoverMailServer(network)(address)

    expect(asked).toEqual([])
    expect(found).toMatchObject({ host: '', found: 'guess' })
  }
})

test('names that nobody has in the DNS are not asked for', async () => {
  for (const domain of ['skerry.example', 'nas.local', 'mail.internal', 'box.home.arpa']) {
    const { network, asked } = networkOf({})
    const found = await createDiscoverMailServer(network)(`anna@${domain}`)

    expect(asked).toEqual([])
    expect(found).toMatchObject({ host: `imap.${domain}`, found: 'guess' })
  }
})

test('a domain with other letters is asked by its name in DNS', async () => {
  const { network, asked } = networkOf({})
  await createDiscoverMailServer(network)('anna@müller.example.org')

  expect(asked).toContain('_imaps._tcp.xn--mller-kva.example.org')
})

test('who never answers is not waited for', async () => {
  const never = () => new Promise<never>(() => {})
  const discoverSilent = createDiscoverMailServer({ resolveSrv: never, resolve: never, fetch: never }, 20)

  expect(await discoverSilent('anna@example.org')).toMatchObject({ host: 'imap.example.org', found: 'guess' })
})

test('a hostile file names nothing', async () => {
  const files = [
    '<incomingServer '.repeat(6000),
    imap('a.example', { port: '0' }),
    imap('a.example', { port: '1e9' }),
    imap(''),
    imap('a.example\r\nX: y'),
    `<!DOCTYPE x [<!ENTITY h SYSTEM "file:///etc/passwd">]>${imap('&h;')}`,
  ]
  for (const file of files) {
    const found = await discover({ files: { [fileAt]: file }, hosts: { 'a.example': [publicIp] } })
    expect(found).toMatchObject({ found: 'guess' })
  }
})

test('requests for a file go to no private address, whatever a name leads to', async () => {
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.end(imap('a.example'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close())
  const { port } = server.address() as AddressInfo
  const fetchPublic = createSafeFetch({
    toError: (why) => new Error(why),
    network: { resolve: async () => ['127.0.0.1'] },
  })

  for (const url of [
    `https://autoconfig.example.org:${port}/`,
    `http://localhost:${port}/`,
    `http://127.0.0.1:${port}/`,
  ]) {
    await expect(fetchPublic(url)).rejects.toThrow(/not a public address|not an https address/)
  }
  expect(requests).toBe(0)
})

test('the owner is told what was found, and others nothing', async () => {
  const { network } = networkOf({
    srv: { '_imaps._tcp.example.org': [{ name: 'imap.mail.example', port: 993 }] },
    hosts: { 'imap.mail.example': [publicIp] },
  })
  const { app, owner } = await buildApp({ mailDiscovery: network })

  const { body } = await owner.get('/api/mail-server?address=anna%40example.org').expect(200)
  expect(body).toMatchObject({ host: 'imap.mail.example', found: 'dns' })
  await owner.get('/api/mail-server?address=anna').expect(400)
  await request(app).get('/api/mail-server?address=anna%40example.org').expect(401)
})
