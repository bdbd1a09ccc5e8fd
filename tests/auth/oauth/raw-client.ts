// A client that does what it is told, also what no client should.

import { createHash } from 'node:crypto'
import { allowAll, createBrowser } from './program.ts'

const redirectUri = 'http://127.0.0.1:8765/callback'
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

type Fields = Record<string, string | undefined>
export type Tokens = { access_token: string; refresh_token: string; error?: string }

const given = (fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

export function createRawClient(url: string, send: typeof fetch = fetch) {
  const form = async (path: string, fields: Fields) =>
    await send(`${url}${path}`, { method: 'POST', body: new URLSearchParams(given(fields)) })

  const client = {
    async register(
      metadata: object = { client_name: 'Raw', redirect_uris: [redirectUri] },
    ): Promise<Response> {
      return await send(`${url}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(metadata),
      })
    },

    async newId(): Promise<string> {
      return ((await (await client.register()).json()) as { client_id: string }).client_id
    },

    /** The address of a request in order, but for what is given; `undefined` leaves a parameter out. */
    address(client_id: string, changed: Fields = {}): URL {
      const fields = {
        client_id,
        response_type: 'code',
        redirect_uri: redirectUri,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        resource: `${url}/mcp`,
        scope: 'read suggest',
        state: 'raw',
        ...changed,
      }
      return new URL(`/oauth/authorize?${new URLSearchParams(given(fields))}`, url)
    },

    /** A code that the owner has allowed. */
    async code(client_id: string, changed: Fields = {}, allowed = allowAll): Promise<string> {
      const browser = createBrowser(url, send)
      await browser.signIn()
      const { path } = await browser.open(client.address(client_id, changed))
      return (await browser.press(path, allowed)).searchParams.get('code')!
    },

    async exchange(client_id: string, code: string, changed: Fields = {}): Promise<Response> {
      return await form('/oauth/token', {
        grant_type: 'authorization_code',
        client_id,
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        resource: `${url}/mcp`,
        ...changed,
      })
    },

    async refresh(client_id: string, refresh_token: string, changed: Fields = {}): Promise<Response> {
      return await form('/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token, ...changed })
    },

    async revoke(client_id: string, token: string): Promise<Response> {
      return await form('/oauth/revoke', { client_id, token })
    },

    async tokens(client_id: string): Promise<Tokens> {
      return (await (await client.exchange(client_id, await client.code(client_id))).json()) as Tokens
    },

    /** What the resource answers to a token. */
    async ask(token: string | null, headers: Record<string, string> = {}): Promise<Response> {
      return await send(`${url}/mcp`, {
        method: 'POST',
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: {
            protocolVersion: '2025-11-25',
            capabilities: {},
            clientInfo: { name: 'raw', version: '1' },
          },
        }),
      })
    },
  }
  return client
}
