// `fetch` for addresses that come from outside: of client documents, of what sources and domains name, of images. Whoever
// wrote the address must not make this server ask what they could not reach themselves. So every address of the host is
// checked, the connection goes to one that was checked, a redirect is asked by the same rules, and time and bytes are
// bounded. Node's own `fetch` resolves and connects by itself, out of sight.

import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { AppError } from '../errors.ts'
import { isLoopback, isOfNetwork, isPublicAddress, ownNetworkOf } from './addresses.ts'

export type SafeFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<string[]>

/** How hosts are found and asked. */
export type Network = {
  resolve: Resolve
  isPublic: (address: string) => boolean
  request: (
    url: URL,
    options: RequestOptions & { address: string },
    onAnswer: (answer: IncomingMessage) => void,
  ) => ClientRequest
}

export type SafeFetchOptions = {
  /**
   * Makes what it rejects with; `why` begins with the host and has no full stop. Default: an `AppError` `source_failed`.
   */
  toError?: (why: string, cause?: unknown) => Error
  /**
   * An address that the owner chose. Its origin is asked wherever it is, by http too, over connections that stay open; of
   * the network that it is in, other hosts are asked as those of the internet are. Default: none.
   */
  chosen?: string | null | undefined
  /** Of the body. Default: 100 kB. */
  maxBytes?: number
  /** For all of it, until the body has come. Default: 10 s. */
  timeoutMs?: number
  /**
   * Default: 0, a redirect is refused, unless the request has `redirect: 'manual'`. Followed ones are asked without body,
   * credentials and cookies.
   */
  maxRedirects?: number
  network?: Partial<Network> | undefined
}

const sourceFailed = (why: string, cause?: unknown) =>
  new AppError('source_failed', 502, `${why}.`, { cause })

/** What is wrong with an address or an answer, as `toError` takes it. */
class Refused extends Error {}

export const resolveByDns: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

const internet: Network = {
  resolve: resolveByDns,
  isPublic: isPublicAddress,
  request: (url, { address, ...options }, onAnswer) =>
    (url.protocol === 'https:' ? https : http).request(
      url,
      { ...options, lookup: alwaysAt(address) },
      onAnswer,
    ),
}

/** Answers each question for an address with the one that was checked. */
const alwaysAt = (address: string): LookupFunction => {
  const found: LookupAddress = { address, family: isIPv6(address) ? 6 : 4 }
  return (_host, { all }, done) => (all ? done(null, [found]) : done(null, found.address, found.family))
}

/** One request of several that redirects may make. */
type Hop = { url: URL; init: RequestInit; signal: AbortSignal }
type ToError = (error: unknown) => Error

export function createSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  const { toError = sourceFailed, maxBytes = 100_000, timeoutMs = 10_000, maxRedirects = 0 } = options
  const network = { ...internet, ...options.network }
  const send = createSend(options.chosen ? new URL(options.chosen) : null, network)

  return async (input, init = {}) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    const errorAt =
      ({ host }: URL): ToError =>
      (error) => {
        if (error instanceof Refused) return toError(error.message)
        const late = `did not answer within ${timeoutMs / 1000} s`
        return toError(`${host} ${timeout.aborted ? late : 'could not be reached'}`, error)
      }
    let hop: Hop = { url: new URL(input), init, signal }
    for (let left = init.redirect === 'manual' ? 0 : maxRedirects; ; left--) {
      const { url } = hop
      try {
        const answer = await send(hop)
        const next = init.redirect === 'manual' ? null : redirectOf(url, answer, left)
        if (next === null) return toResponse(answer, { host: url.host, maxBytes, errorOf: errorAt(url) })
        hop = { url: next, init: withoutCredentials(hop.init), signal }
      } catch (error) {
        throw errorAt(url)(error)
      }
    }
  }
}

type Send = (hop: Hop) => Promise<IncomingMessage>

function createSend(own: URL | null, network: Network): Send {
  const keptOpen = own && { ...keptOpenMs, keepAlive: true }
  const agents = keptOpen && { 'http:': new http.Agent(keptOpen), 'https:': new https.Agent(keptOpen) }

  return async ({ url, init, signal }) => {
    const isOwn = url.origin === own?.origin
    const address = await Promise.race([findAddress(url, isOwn), aborted(signal)])
    const { method = 'GET', body } = init
    const text = body === undefined || body === null ? '' : String(body)
    const headers = {
      ...Object.fromEntries(new Headers(init.headers)),
      'user-agent': 'Void',
      ...(text ? { 'content-length': String(Buffer.byteLength(text)) } : {}),
    }
    const agent = isOwn && agents ? agents[url.protocol as keyof typeof agents] : false
    return await new Promise((resolve, reject) => {
      const options = { method, headers, agent, maxHeaderSize: 16_384, signal, address }
      network.request(url, options, resolve).once('error', reject).end(text)
    })
  }

  async function findAddress(url: URL, isOwn: boolean): Promise<string> {
    const refused = (why: string) => new Refused(`${url.host} ${why}`)
    if (url.username || url.password) throw refused('has a user name in its address')
    if (!isOwn && url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
      throw refused('is not an https address')
    if (!isOwn && url.port !== '' && Number(url.port) < 1024) throw refused('is at a port of another service')
    const addresses = await resolveAll(url)
    if (addresses.length === 0) throw refused('could not be reached')
    if (isOwn) return addresses[0]!
    const ownNetwork = own && ownNetworkOf(await resolveAll(own))
    // One address out of bounds is enough: a name that points both ways is made for that.
    const isAllowed = (each: string) =>
      network.isPublic(each) || (ownNetwork !== null && isOfNetwork(each, ownNetwork))
    if (!addresses.every(isAllowed)) throw refused('is not a public address')
    return addresses[0]!
  }

  async function resolveAll({ hostname }: URL): Promise<string[]> {
    const host = hostname.replace(/^\[|\]$/g, '')
    if (isIP(host)) return [host]
    // The name of this machine, whatever a server of names says.
    return isLoopback(host) ? ['127.0.0.1'] : await network.resolve(host)
  }
}

/** How long a connection stays open that is not used. */
const keptOpenMs = { timeout: 30_000 }

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** Where an answer redirects to; `null`: nowhere. Throws where it may not. */
function redirectOf({ host, href }: URL, answer: IncomingMessage, left: number): URL | null {
  const { statusCode: status = 500, headers } = answer
  if (status < 300 || status >= 400) return null
  answer.destroy()
  const { location } = headers
  if (left > 0 && location !== undefined && URL.canParse(location, href)) return new URL(location, href)
  throw new Refused(`${host} redirects (${status}), which is not followed`)
}

function withoutCredentials({ headers }: RequestInit): RequestInit {
  const accept = new Headers(headers).get('accept')
  return accept === null ? {} : { headers: { accept } }
}

type Answered = { host: string; maxBytes: number; errorOf: ToError }

function toResponse(answer: IncomingMessage, { host, maxBytes, errorOf }: Answered): Response {
  const { statusCode: status = 500, statusMessage: statusText = '' } = answer
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers))
    if (typeof value === 'string') headers.set(name, value)
  if (status === 204 || status === 205 || status === 304) {
    answer.resume()
    return new Response(null, { status, statusText, headers })
  }
  return new Response(toStream(body()), { status, statusText, headers })

  async function* body(): AsyncGenerator<Uint8Array, void> {
    let bytes = 0
    try {
      for await (const chunk of answer) {
        bytes += chunk.length
        // Leaving the loop destroys the stream.
        if (bytes > maxBytes) throw new Refused(`${host} answered with more than ${maxBytes} bytes`)
        yield chunk
      }
    } catch (error) {
      throw errorOf(error)
    }
  }
}

/** The chunks as a stream, each made when it is asked for. */
export function toStream(chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await chunks.return()),
  })
}
