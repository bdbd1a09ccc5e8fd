// A program that is connected by OAuth with the real client, and the owner's browser, which follows where it is sent.

import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { ownerToken } from '../../helpers/owner-token.ts'

type Stored = {
  client?: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
  tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>
  verifier: string
  discovery?: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>
}

export type Program = ReturnType<typeof createProgram>

/** A program as it is on the owner's machine: what it stores, and where it last sent the browser. */
export function createProgram(
  url: string,
  {
    name = 'Lamp reader',
    redirectUrl = 'http://127.0.0.1:8765/callback',
    scope,
    metadataUrl,
  }: {
    name?: string
    redirectUrl?: string
    scope?: string
    metadataUrl?: string
  } = {},
) {
  const stored: Stored = { verifier: '' }
  let sentTo: URL | null = null
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(metadataUrl ? { clientMetadataUrl: metadataUrl } : {}),
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl], ...(scope ? { scope } : {}) },
    state: () => 'state-of-the-program',
    clientInformation: () => stored.client,
    saveClientInformation: (client) => {
      stored.client = client
    },
    tokens: () => stored.tokens,
    saveTokens: (tokens) => {
      stored.tokens = tokens
    },
    redirectToAuthorization: (address) => {
      sentTo = address
    },
    saveCodeVerifier: (verifier) => {
      stored.verifier = verifier
    },
    codeVerifier: () => stored.verifier,
    saveDiscoveryState: (discovery) => {
      stored.discovery = discovery
    },
    discoveryState: () => stored.discovery,
    invalidateCredentials: (what) => {
      if (what === 'tokens' || what === 'all') delete stored.tokens
      if (what === 'client' || what === 'all') delete stored.client
    },
  }

  return {
    stored,
    /** The address that the program has sent the browser to. */
    sentTo: () => sentTo!,

    /** Asks for something; the address to send the browser to, when it has no token that is taken. */
    async begin(): Promise<URL> {
      const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider })
      sentTo = null
      const client = new Client({ name: 'test', version: '1' })
      const error = await client.connect(transport).then(
        () => null,
        (error: unknown) => error,
      )
      if (!(error instanceof UnauthorizedError)) throw error ?? new Error('it was let in')
      return sentTo!
    },

    /** Hands over what the browser came back with. */
    async finish(callback: URL): Promise<void> {
      const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider })
      await transport.finishAuth(callback.searchParams)
    },

    async connect(): Promise<Client> {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider }),
      )
      return client
    },
  }
}

/** A browser without a screen: cookies by name and path, and no more steps than it is told. */
export function createBrowser(url: string, send: typeof fetch = fetch) {
  const jar = new Map<string, { value: string; path: string }>()

  async function request(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const target = new URL(address, url)
    const cookie = [...jar]
      .filter(([, { path }]) => target.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
    const headers = new Headers(init.headers)
    if (cookie) headers.set('cookie', cookie)
    const answer = await send(target, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) keep(line)
    return answer
  }

  function keep(line: string): void {
    const [pair = '', ...attributes] = line.split(/; */)
    const [name = '', value = ''] = pair.split(/=(.*)/)
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/'
    if (value === '' || /expires=Thu, 01 Jan 1970/.test(line)) jar.delete(name)
    else jar.set(name, { value, path })
  }

  const browser = {
    jar,
    request,
    async signIn(): Promise<void> {
      await request(`${url}/sign-in`, {
        method: 'POST',
        body: new URLSearchParams({ token: ownerToken }),
        headers: { 'sec-fetch-site': 'same-origin' },
      })
    },
    /** Goes where a program sent it, as far as the page that asks. */
    async open(address: URL): Promise<{ path: string; page: Response }> {
      const answer = await request(address)
      const path = answer.headers.get('location')
      if (answer.status !== 303 || !path) throw new Error(`${answer.status}: ${await answer.text()}`)
      return { path, page: await request(path) }
    },
    /** Presses a button on that page; the address at which the program waits. */
    async press(path: string, fields: Record<string, string | string[]>): Promise<URL> {
      const answer = await browser.submit(path, fields)
      const text = await answer.text()
      const resume = /url=([^"]+)"/
        .exec(text)?.[1]
        ?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
      if (answer.status !== 200 || !resume) throw new Error(`${answer.status}: ${text}`)
      const sent = await request(resume)
      const location = sent.headers.get('location')
      if (sent.status !== 303 || !location) throw new Error(`${sent.status}: ${await sent.text()}`)
      return new URL(location)
    },
    async submit(
      path: string,
      fields: Record<string, string | string[]>,
      headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
    ): Promise<Response> {
      const body = new URLSearchParams()
      for (const [name, value] of Object.entries(fields))
        for (const one of [value].flat()) body.append(name, one)
      return await request(path, { method: 'POST', body, headers })
    },
  }
  return browser
}

/** What the owner sends who allows everything. */
export const allowAll = { decision: 'allow', tier: 'suggest', reach: 'all', lifetime: 'month' }

/** Connects a program, from the first refusal to its tokens. */
export async function connectProgram(
  url: string,
  program: Program,
  fields: Record<string, string | string[]> = allowAll,
): Promise<void> {
  const browser = createBrowser(url)
  await browser.signIn()
  const { path } = await browser.open(await program.begin())
  await program.finish(await browser.press(path, fields))
}
