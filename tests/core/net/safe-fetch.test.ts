// What the one fetch to the outside asks, and what it never connects to.

import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createSafeFetch, type Network, type SafeFetchOptions } from '../../../lib/core/net/safe-fetch.ts'

let handler: (req: IncomingMessage, res: ServerResponse) => void = () => {}
const server = http.createServer((req, res) => handler(req, res))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** By name, one list for each time that it is looked up; the last one stays. */
let names: Record<string, string[][]> = {}
/** Addresses that were connected to, each with what was asked there. */
let asked: string[] = []
let looked: string[] = []

beforeEach(() => {
  asked = []
  looked = []
  names = {
    'web.example': [['93.184.216.34']],
    'other.example': [['93.184.216.35']],
    'six.example': [['2606:2800:220:1::1']],
    'inside.example': [['10.0.0.7']],
    'both.example': [['93.184.216.34', '169.254.169.254']],
    'mapped.example': [['::ffff:10.0.0.7']],
    'nat64.example': [['64:ff9b::a00:7']],
    'zone.example': [['fe80::1%eth0']],
    'rebind.example': [['93.184.216.34'], ['127.0.0.1']],
    'nobody.example': [[]],
  }
  handler = (_req, res) => res.end('fine')
})

/** The internet is this one server, whatever is connected to. */
const network: Partial<Network> = {
  resolve: async (host) => {
    looked.push(host)
    const answers = names[host] ?? [[]]
    return answers.length > 1 ? answers.shift()! : answers[0]!
  },
  request: (url, { address, ...options }, onAnswer) => {
    asked.push(`${address} ${url.href}`)
    const headers = { ...options.headers, host: url.host }
    return http.request(
      { ...options, agent: false, headers, path: url.pathname, host: '127.0.0.1', port },
      onAnswer,
    )
  },
}

const fetchWith = (options: Partial<SafeFetchOptions> = {}) =>
  createSafeFetch({ toError: (why, cause) => new Error(why, { cause }), network, ...options })

test.each([
  ['https://web.example/a', '93.184.216.34'],
  ['https://web.example:8443/a', '93.184.216.34'],
  ['https://six.example/a', '2606:2800:220:1::1'],
  ['https://1.1.1.1/a', '1.1.1.1'],
  ['https://[2606:4700::1111]/a', '2606:4700::1111'],
])('%s is asked, at the address that was checked', async (url, address) => {
  const answer = await fetchWith()(url)

  expect(await answer.text()).toBe('fine')
  expect(asked).toEqual([`${address} ${url}`])
})

const hostile: readonly [kind: string, url: string][] = [
  ['this machine', 'https://127.0.0.1/'],
  ['this machine by name', 'https://localhost/'],
  ['this machine by name, with a full stop', 'https://localhost./'],
  ['this machine in IPv6', 'https://[::1]/'],
  ['no address', 'https://0.0.0.0/'],
  ['no address in IPv6', 'https://[::]/'],
  ['IPv4 in IPv6', 'https://[::ffff:127.0.0.1]/'],
  ['IPv4 in IPv6, in hexadecimal', 'https://[::ffff:a9fe:a9fe]/'],
  ['IPv4 in IPv6, the old way', 'https://[::127.0.0.1]/'],
  ['NAT64', 'https://[64:ff9b::7f00:1]/'],
  ['NAT64 of one’s own', 'https://[64:ff9b:1::a00:1]/'],
  ['6to4', 'https://[2002:7f00:1::]/'],
  ['Teredo', 'https://[2001:0:7f00:1::1]/'],
  ['a decimal host', 'https://2130706433/'],
  ['an octal host', 'https://017700000001/'],
  ['octal parts', 'https://0177.0.0.01/'],
  ['a hexadecimal host', 'https://0x7f000001/'],
  ['a short host', 'https://127.1/'],
  ['full-width digits', 'https://１２７.０.０.１/'],
  ['metadata of the cloud', 'https://169.254.169.254/latest/meta-data'],
  ['metadata of the cloud in IPv6', 'https://[fd00:ec2::254]/'],
  ['a private network', 'https://10.0.0.1/'],
  ['another private network', 'https://172.31.255.255/'],
  ['a third private network', 'https://192.168.1.1/'],
  ['a carrier’s network', 'https://100.64.0.1/'],
  ['a unique local address', 'https://[fc00::1]/'],
  ['a link-local address', 'https://[fe80::1]/'],
  ['multicast', 'https://224.0.0.1/'],
  ['broadcast', 'https://255.255.255.255/'],
  ['a name that points inside', 'https://inside.example/'],
  ['a name that points both ways', 'https://both.example/'],
  ['a name of IPv4 in IPv6', 'https://mapped.example/'],
  ['a name of NAT64', 'https://nat64.example/'],
  ['a name of a link', 'https://zone.example/'],
  ['a name that nobody has', 'https://nobody.example/'],
  ['a user name', 'https://user@web.example/'],
  ['a password', 'https://user:word@web.example/'],
  ['another host before an at sign', 'https://web.example:443@127.0.0.1/'],
  ['no TLS', 'http://web.example/'],
  ['no TLS at this machine', 'http://127.0.0.1/'],
  ['the port of SSH', 'https://web.example:22/'],
  ['the port of SMTP', 'https://web.example:25/'],
  ['a file', 'file:///etc/passwd'],
  ['data', 'data:text/plain,x'],
]

test.each(hostile)('%s is not connected to', async (_, url) => {
  await expect(fetchWith()(url)).rejects.toThrow(
    /is not a public address|is not an https address|has a user name|could not be reached|of another service/,
  )
  expect(asked).toEqual([])
})

test.each(hostile)('%s is not connected to by a redirect', async (_, url) => {
  const location = Buffer.from(url).toString('latin1')
  handler = (_req, res) => res.writeHead(302, { location }).end()

  await expect(fetchWith({ maxRedirects: 3 })('https://web.example/a')).rejects.toThrow()
  expect(asked).toEqual(['93.184.216.34 https://web.example/a'])
})

test('a name is looked up once, so that what it says next is not connected to', async () => {
  await (await fetchWith()('https://rebind.example/')).text()

  expect(looked).toEqual(['rebind.example'])
  expect(asked).toEqual(['93.184.216.34 https://rebind.example/'])
})

test('a name that says otherwise after a redirect is checked anew', async () => {
  handler = (_req, res) => res.writeHead(302, { location: '/b' }).end()

  await expect(fetchWith({ maxRedirects: 3 })('https://rebind.example/a')).rejects.toThrow(
    'not a public address',
  )
  expect(asked).toEqual(['93.184.216.34 https://rebind.example/a'])
})

test('a connection goes to the address that was checked, by Node’s own means, too', async () => {
  const url = `http://nowhere.invalid:${port}/a`
  const fetchOwn = createSafeFetch({
    chosen: url,
    toError: (why) => new Error(why),
    network: { resolve: async () => ['127.0.0.1'] },
  })

  expect(await (await fetchOwn(url)).text()).toBe('fine')
  expect(await (await fetchOwn(url)).text()).toBe('fine')
})

describe('an address that the owner chose', () => {
  const chosen = { chosen: 'http://inside.example:8080/mcp' }

  test('is asked wherever it is, and what is in its network over TLS', async () => {
    names['sso.example'] = [['10.9.9.9']]

    await (await fetchWith(chosen)('http://inside.example:8080/x')).text()
    await (await fetchWith(chosen)('https://sso.example/x')).text()

    expect(asked).toEqual(['10.0.0.7 http://inside.example:8080/x', '10.9.9.9 https://sso.example/x'])
  })

  test.each([
    'http://inside.example/x',
    'http://sso.example/x',
    'https://127.0.0.1/x',
    'https://169.254.169.254/x',
    'https://both.example/x',
  ])('opens nothing at %s', async (url) => {
    names['sso.example'] = [['10.9.9.9']]

    await expect(fetchWith(chosen)(url)).rejects.toThrow()
    expect(asked).toEqual([])
  })

  test('of the internet opens no network', async () => {
    await expect(fetchWith({ chosen: 'https://web.example/' })('https://inside.example/')).rejects.toThrow(
      'inside.example is not a public address',
    )
  })
})

describe('a redirect', () => {
  const toOther: typeof handler = (req, res) =>
    req.url === '/a' ? res.writeHead(302, { location: 'https://other.example/b' }).end() : res.end('moved')

  test('is refused unless it is asked for, or given as it is', async () => {
    handler = toOther

    await expect(fetchWith()('https://web.example/a')).rejects.toThrow(
      'web.example redirects (302), which is not followed',
    )
    const manual = await fetchWith({ maxRedirects: 3 })('https://web.example/a', { redirect: 'manual' })
    expect([manual.status, asked.length]).toEqual([302, 2])
  })

  test('is followed without credentials, cookies and body, as often as is allowed', async () => {
    const seen: unknown[] = []
    handler = (req, res) => {
      seen.push([req.method, req.headers.authorization, req.headers.cookie, req.headers.accept])
      toOther(req, res)
    }
    const headers = { authorization: 'Bearer x', cookie: 'a=b', accept: 'image/png' }

    const answer = await fetchWith({ maxRedirects: 1 })('https://web.example/a', {
      method: 'POST',
      body: 'secret',
      headers,
    })

    expect(await answer.text()).toBe('moved')
    expect(seen).toEqual([
      ['POST', 'Bearer x', 'a=b', 'image/png'],
      ['GET', undefined, undefined, 'image/png'],
    ])
    handler = (_req, res) => res.writeHead(301, { location: '/a' }).end()
    await expect(fetchWith({ maxRedirects: 2 })('https://web.example/a')).rejects.toThrow('not followed')
    expect(asked).toHaveLength(5)
  })
})

describe('an answer', () => {
  test('is broken off where it is longer than it may be, though it has no end', async () => {
    let closed = false
    handler = (_req, res) => {
      const pour = () => {
        while (!res.closed && res.write('x'.repeat(1024)));
      }
      res.on('drain', pour).once('close', () => {
        closed = true
      })
      pour()
    }

    const answer = await fetchWith({ maxBytes: 5000 })('https://web.example/a')

    await expect(answer.text()).rejects.toThrow('web.example answered with more than 5000 bytes')
    await expect.poll(() => closed).toBe(true)
  })

  test.each<[string, typeof handler, Partial<Network>]>([
    ['names are not found', () => {}, { resolve: () => new Promise<string[]>(() => {}) }],
    ['a head does not come', () => {}, {}],
    ['a body does not end', (_req, res) => res.write('x'), {}],
  ])('is waited for only so long where %s', async (_, handle, more) => {
    handler = handle
    const fetch = fetchWith({ timeoutMs: 200, network: { ...network, ...more } })

    await expect(fetch('https://web.example/a').then((answer) => answer.text())).rejects.toThrow(
      'web.example did not answer within 0.2 s',
    )
  })

  test('is given up with the caller', async () => {
    handler = () => {}
    const caller = new AbortController()
    const asking = fetchWith()('https://web.example/a', { signal: caller.signal })
    caller.abort()

    await expect(asking).rejects.toThrow('could not be reached')
  })

  test('that breaks off is an error, and so is none', async () => {
    handler = (_req, res) => {
      res.write('x')
      setTimeout(() => res.socket?.destroy(), 20)
    }
    const broken = await fetchWith()('https://web.example/a')
    await expect(broken.text()).rejects.toThrow('could not be reached')

    handler = (_req, res) => res.socket?.destroy()
    await expect(fetchWith()('https://web.example/a')).rejects.toThrow('could not be reached')
  })

  test('has its status, its headers but for cookies, and no body where it can have none', async () => {
    handler = (_req, res) =>
      res.writeHead(204, { 'set-cookie': 'a=b', 'www-authenticate': 'Bearer', 'x-more': 'y' }).end()

    const answer = await fetchWith()('https://web.example/a')

    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(answer.headers.get('x-more')).toBe('y')
  })
})
