// What a client says of itself at an address of its own: what is fetched, from where, and how much of it.

import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { fetchDocument, isDocumentUrl } from '../../../lib/auth/oauth/client-document.ts'
import { isPublicAddress } from '../../../lib/core/net/addresses.ts'
import type { Network } from '../../../lib/core/net/safe-fetch.ts'

const url = 'https://client.example/oauth/client.json'
let handler: (req: IncomingMessage, res: ServerResponse) => void = () => {}
const asked: string[] = []
const server = http.createServer((req, res) => {
  asked.push(`${req.headers.host}${req.url}`)
  handler(req, res)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** The internet, as far as it is this one server; what it connects to is noted. */
function network(addresses: string[] = ['127.0.0.1'], isPublic: Network['isPublic'] = () => true) {
  const connected: string[] = []
  const request: Network['request'] = (url, { address, ...options }, onAnswer) => {
    connected.push(address)
    const headers = { ...options.headers, host: url.host }
    return http.request({ ...options, headers, path: url.pathname, host: '127.0.0.1', port }, onAnswer)
  }
  const made: Network = { resolve: async () => addresses, isPublic, request }
  return { ...made, connected }
}

const json =
  (body: string, headers: http.OutgoingHttpHeaders = {}): typeof handler =>
  (_req, res) =>
    res.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body)

describe('a document', () => {
  test('is fetched from the address that was checked, under its name', async () => {
    handler = json('{"a":1}', { 'cache-control': 'max-age=60', 'x-other': 'y' })
    const public_ = network(['93.184.216.34', '2606:2800::1'])

    const answer = await fetchDocument(url, public_)

    expect(await answer.json()).toEqual({ a: 1 })
    expect(public_.connected).toEqual(['93.184.216.34'])
    expect(asked.at(-1)).toBe('client.example/oauth/client.json')
    expect([...answer.headers.keys()].toSorted()).toEqual(['cache-control', 'content-type', 'date'])
  })

  test.each([
    [
      'a redirect',
      (res: ServerResponse) => res.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
      /redirects \(302\)/,
    ],
    ['an error', (res: ServerResponse) => res.writeHead(500).end(), /answered 500/],
    [
      'a page',
      (res: ServerResponse) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      /JSON/,
    ],
    ['no type', (res: ServerResponse) => res.writeHead(200).end('{}'), /JSON/],
    ['a broken connection', (res: ServerResponse) => res.socket?.destroy(), /could not be reached/],
  ] as const)('that is %s is refused', async (_name, answer, why) => {
    handler = (_req, res) => answer(res)

    await expect(fetchDocument(url, network())).rejects.toThrow(why)
  })

  test('of more than 5 kB is given up, also when it has no end', async () => {
    handler = json(`"${'x'.repeat(5 * 1024)}"`)
    await expect(fetchDocument(url, network())).rejects.toThrow('more than 5120 bytes')

    let closed = false
    handler = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' })
      const pour = () => {
        while (!res.closed && res.write('x'.repeat(1024)));
      }
      res.on('drain', pour).once('close', () => {
        closed = true
      })
      pour()
    }
    await expect(fetchDocument(url, network())).rejects.toThrow('more than 5120 bytes')
    await expect.poll(() => closed).toBe(true)
  })

  test('that does not come is given up', async () => {
    const silent = { ...network(), resolve: () => new Promise<string[]>(() => {}) }

    await expect(fetchDocument(url, silent)).rejects.toThrow('did not answer within 5 s')
  })

  test('is not asked for at an address that is not public, and one of several is enough', async () => {
    for (const addresses of [['127.0.0.1'], ['169.254.169.254'], ['93.184.216.34', '10.0.0.1']]) {
      const inside = network(addresses, isPublicAddress)

      await expect(fetchDocument(url, inside)).rejects.toThrow('not a public address')
      expect(inside.connected).toEqual([])
    }
  })

  test('at a name that cannot be found is refused', async () => {
    const lost = { ...network(), resolve: () => Promise.reject(new Error('ENOTFOUND')) }

    await expect(fetchDocument(url, lost)).rejects.toThrow('could not be reached')
    await expect(fetchDocument(url, network([]))).rejects.toThrow('could not be reached')
  })
})

test.each([
  'http://client.example/c.json',
  'https://client.example/',
  'https://client.example',
  'https://127.0.0.1/c.json',
  'https://2130706433/c.json',
  'https://0x7f.1/c.json',
  'https://[::1]/c.json',
  'https://[::ffff:169.254.169.254]/c.json',
  'https://localhost/c.json',
  'https://a.localhost/c.json',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://printer.local/c.json',
  'https://intranet/c.json',
  'https://client.example./c.json',
  'https://client.example:8443/c.json',
  'https://user@client.example/c.json',
  'https://user:pass@client.example/c.json',
  'https://client.example/c.json#x',
  'https://client.example/c.json?x',
  'https://client.example/a/../c.json',
  'https://CLIENT.example/c.json',
  `https://client.example/${'a'.repeat(500)}`,
  'not an address',
])('%s names no document', async (address) => {
  const outside = network()

  expect(isDocumentUrl(address)).toBe(false)
  await expect(fetchDocument(address, outside)).rejects.toThrow('cannot be used')
  expect(outside.connected).toEqual([])
})

test('an address of the public internet is one, and no other', () => {
  const outside = ['1.1.1.1', '93.184.216.34', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1']
  const inside = [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
    ...[
      '172.31.255.255',
      '192.0.0.8',
      '192.168.1.1',
      '198.18.0.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
    ],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:1.1.1.1',
      '64:ff9b::a00:1',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
    ],
    ...[
      'fe80::1%eth0',
      'ff02::1',
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '3fff::1',
      '',
      'localhost',
      '1.1.1',
    ],
  ]

  expect(outside.filter((address) => !isPublicAddress(address))).toEqual([])
  expect(inside.filter(isPublicAddress)).toEqual([])
})
