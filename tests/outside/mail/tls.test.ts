// TLS and STARTTLS with a real server. Its certificate is its own, so it is trusted here or not at all.

import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConnectImap } from '../../../lib/outside/mail/sync/imap-server.ts'
import { mailProblem } from '../../../lib/outside/mail/sync/mail-server.ts'
import { imapsUrl } from './imap-fixture.ts'
import { type ImapProxy, startImapProxy } from './imap-proxy.ts'

describe.skipIf(!imapsUrl)('a real server with TLS', () => {
  const { hostname: host, port: text } = new URL(imapsUrl ?? 'imaps://none:1')
  const port = Number(text)
  const account = { host, username: 'tls@skerry.example', password: 'secret' }
  const proxies: ImapProxy[] = []
  let ca = ''

  beforeAll(async () => {
    ca = await certificateOf(host, port)
  })
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()))
  })

  const open = (trusted: string | undefined) =>
    createConnectImap({ version: '0', connectMs: 10_000, ...(trusted ? { ca: trusted } : {}) })
  const never = new AbortController().signal
  const proxy = async (starttls: 'offered' | 'missing') => {
    const made = await startImapProxy({ host, port }, { starttls })
    proxies.push(made)
    return made
  }

  test('is read over TLS', async () => {
    const server = await open(ca)({ ...account, port, security: 'tls' }, never)

    expect((await server.listFolders()).map(({ path }) => path)).toContain('INBOX')
    expect(await server.open('INBOX')).toMatchObject({ exists: 0 })
    await server.close()
  })

  test('is read over STARTTLS, and nothing is said before', async () => {
    const way = await proxy('offered')
    const server = await open(ca)({ ...account, port: way.port, security: 'starttls' }, never)

    expect((await server.listFolders()).map(({ path }) => path)).toContain('INBOX')
    await server.close()
    expect(way.sent).toContain('STARTTLS')
    expect(way.sent).not.toMatch(/LOGIN|AUTHENTICATE|secret|c2VjcmV0/)
  })

  test.each(['tls', 'starttls'] as const)(
    'is refused over %s with a certificate of nobody known',
    async (security) => {
      const at = security === 'tls' ? port : (await proxy('offered')).port
      const error = await open(undefined)({ ...account, port: at, security }, never).catch(
        (thrown: unknown) => thrown,
      )

      expect(mailProblem(error)).toEqual({
        message: 'The server’s certificate is signed by nobody known.',
        stops: false,
      })
    },
  )

  test('gets no password where STARTTLS is gone, as when somebody took it out on the way', async () => {
    const way = await proxy('missing')

    await expect(open(ca)({ ...account, port: way.port, security: 'starttls' }, never)).rejects.toThrow()
    expect(way.sent).not.toMatch(/LOGIN|AUTHENTICATE|secret|c2VjcmV0/)
  })
})

/** In PEM. */
async function certificateOf(host: string, port: number): Promise<string> {
  return await new Promise((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerX509Certificate()
      socket.destroy()
      if (certificate) resolve(certificate.toString())
      else reject(new Error('no certificate'))
    })
    socket.on('error', reject)
  })
}
