// `fetch` for addresses that a source named, and not the owner: a source must not make this server ask what the source
// itself could not reach. It asks the source's own origin; anything else only over TLS, at addresses of the public internet
// or of the same network as the source, and connects to the very address that was checked.

import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { isPublicAddress } from '../../../auth/oauth/client-document/public-address.ts'
import { isLoopback } from '../../../auth/oauth/metadata.ts'
import { AppError } from '../../../core/errors.ts'

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<string[]>

export type OutgoingFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

const usualMaxBytes = 100_000
const timeoutMs = 10_000

export const resolveByDns: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * `sourceUrl` null: nobody’s own, so the public internet alone. Rejects with an `AppError` `source_failed` for an address that may not be asked, a redirection, and an answer that is
 * longer than `maxBytes` (100 kB) or takes longer than ten seconds.
 */
export function createOutgoingFetch(
  sourceUrl: string | null,
  resolve: Resolve = resolveByDns,
  maxBytes: number = usualMaxBytes,
): OutgoingFetch {
  const source = sourceUrl === null ? null : new URL(sourceUrl)

  return async (input, init = {}) => {
    const url = new URL(input)
    if (url.username || url.password) throw refused(url, 'has a user name in its address')
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const address = await findAddress(url)
      const answer = await send(url, address, { init, signal })
      return await toResponse(url, answer, maxBytes)
    } catch (error) {
      if (error instanceof AppError) throw error
      const why = signal.aborted ? `did not answer within ${timeoutMs / 1000} s` : 'could not be reached'
      throw refused(url, why, error)
    }
  }

  async function findAddress(url: URL): Promise<string> {
    const isOwn = url.origin === source?.origin
    if (!isOwn && url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
      throw refused(url, 'is not an https address')
    }
    const addresses = await resolveAll(url)
    if (addresses.length === 0) throw refused(url, 'could not be reached')
    if (isOwn) return addresses[0]!
    const own = source && networkOf(await resolveAll(source))
    // One address out of bounds is enough: a name that points both ways is made for that.
    const allowed = addresses.every((each) => isPublicAddress(each) || isOfNetwork(each, own))
    if (!allowed) throw refused(url, 'is not a public address')
    return addresses[0]!
  }

  async function resolveAll({ hostname }: URL): Promise<string[]> {
    const host = hostname.replace(/^\[|\]$/g, '')
    if (isIP(host)) return [host]
    // The name of this machine, whatever a server of names says.
    return isLoopback(host) ? ['127.0.0.1'] : await resolve(host)
  }
}

type NetworkName = 'loopback' | 'private'

/** The network that a source is in, when it is none of the internet. */
const networkOf = (addresses: readonly string[]): NetworkName | null =>
  (['loopback', 'private'] as const).find((name) => addresses.every((each) => isOfNetwork(each, name))) ??
  null

const isOfNetwork = (address: string, name: NetworkName | null): boolean =>
  name !== null && networks[name].check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

const networks: Record<NetworkName, BlockList> = { loopback: new BlockList(), private: new BlockList() }
networks.loopback.addSubnet('127.0.0.0', 8, 'ipv4')
networks.loopback.addAddress('::1', 'ipv6')
networks.private.addSubnet('10.0.0.0', 8, 'ipv4')
networks.private.addSubnet('172.16.0.0', 12, 'ipv4')
networks.private.addSubnet('192.168.0.0', 16, 'ipv4')
networks.private.addSubnet('fc00::', 7, 'ipv6')

type Sending = { init: RequestInit; signal: AbortSignal }

async function send(url: URL, address: string, { init, signal }: Sending): Promise<IncomingMessage> {
  const { method = 'GET', body } = init
  const text = body === undefined || body === null ? '' : String(body)
  const headers = {
    ...Object.fromEntries(new Headers(init.headers)),
    'user-agent': 'Void',
    ...(text ? { 'content-length': String(Buffer.byteLength(text)) } : {}),
  }
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return await new Promise((resolve, reject) => {
    const options = { method, headers, agent: false as const, maxHeaderSize: 16_384, signal }
    request(url, { ...options, lookup: alwaysAt(address) }, resolve)
      .once('error', reject)
      .end(text)
  })
}

/** Answers each question for an address with the one that was checked. */
const alwaysAt = (address: string): LookupFunction => {
  const found: LookupAddress = { address, family: isIPv6(address) ? 6 : 4 }
  return (_host, { all }, done) => (all ? done(null, [found]) : done(null, found.address, found.family))
}

async function toResponse(url: URL, answer: IncomingMessage, maxBytes: number): Promise<Response> {
  const status = answer.statusCode ?? 500
  if (status >= 300 && status < 400) {
    answer.destroy()
    throw refused(url, `redirects (${status}), which is not followed`)
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer) {
    bytes += chunk.length
    // Leaving the loop destroys the stream.
    if (bytes > maxBytes) throw refused(url, `answered with more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  const headers = new Headers()
  for (const name of ['content-type', 'www-authenticate'] as const) {
    const value = answer.headers[name]
    if (value !== undefined) headers.set(name, value)
  }
  return new Response(status === 204 ? null : Buffer.concat(chunks), { status, headers })
}

const refused = ({ host }: URL, why: string, cause?: unknown) =>
  new AppError('source_failed', 502, `${host} ${why}.`, { cause })
