// Whoever is not the owner begins nothing, however the path is spelled.

import { request } from 'node:http'
import { nextAddress, type OAuthWorld, row } from './oauth-world.ts'

const spellings = (path: string): string[] => {
  const letters = [...path.slice(1)]
  const at = (n: number, letter: string) => `/${letters.map((each, i) => (i === n ? letter : each)).join('')}`
  return [
    ...letters.map((letter, n) => at(n, letter.toUpperCase())),
    ...letters.map((letter, n) => at(n, `%${letter.charCodeAt(0).toString(16)}`)),
    ...letters.map((letter, n) => at(n, `%25${letter.charCodeAt(0).toString(16)}`)),
    ...['/', '//', '/.', '/%2e', ';x=1', '%20', '%00', '%2f', '.', '#', '\\', '/..%2fauthorize'].map(
      (end) => path + end,
    ),
    ...['/', '/.', '/x/..', '/%2e', '//', '/%2f', '\\'].map((start) => start + path),
    path.toUpperCase(),
    path.replace('/', '/%6f/../'),
    path.replaceAll('/', '//'),
    path.replaceAll('/', '\\'),
    path.replaceAll('a', '\u0430'),
    path.normalize('NFKD').replace('o', '\uff4f'),
  ]
}

export async function tryPaths({ url, client, id, call, tried, fell }: OAuthWorld): Promise<void> {
  const { search } = client.address(id)
  const agent = row(await call('POST', '/api/agents', { name: 'Pretender', slug: 'pretender' }))
  const { token } = row(await call('POST', `/api/agents/${agent.id}/tokens`, { name: 'pretender' }))
  const headers: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${token}` },
    { authorization: 'Bearer oauth_x' },
  ]
  for (const path of ['/oauth/authorize', '/oauth/authorize/x', '/connect/x'].flatMap(spellings))
    for (const more of headers)
      for (const method of ['GET', 'POST', 'HEAD']) {
        const answer = await sendAsIs(url, { method, path: path + search, headers: more })
        tried()
        const isBegun = /\/connect\//.test(answer.location) || /_interaction|_session/.test(answer.cookies)
        if (isBegun || answer.status >= 500 || answer.location.includes('code='))
          fell(`${method} ${path} by ${JSON.stringify(more)}: ${answer.status} ${answer.location}`)
      }
}

type Sent = { method: string; path: string; headers: Record<string, string> }

/** A path as no client would write it. */
function sendAsIs(
  url: string,
  { method, path, headers }: Sent,
): Promise<{ status: number; location: string; cookies: string }> {
  const { port, host } = new URL(url)
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: Buffer.from(path).toString('latin1'),
        headers: { host, 'x-forwarded-for': nextAddress(), ...headers },
      },
      (response) => {
        response.resume().on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            location: String(response.headers.location ?? ''),
            cookies: String(response.headers['set-cookie'] ?? ''),
          }),
        )
      },
    )
    sending.on('error', reject).end()
  })
}
