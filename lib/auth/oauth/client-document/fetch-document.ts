// A client may name itself by the address of a document about it (draft-ietf-oauth-client-id-metadata-document). That
// address comes from outside, so what is fetched and from where is held as narrow as it can be.

import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { AppError } from '../../../core/errors.ts'
import { isPublicAddress } from './public-address.ts'

export type Network = {
  /** All addresses of a host name. */
  resolve: (host: string) => Promise<string[]>
  isPublic: (address: string) => boolean
  request: typeof httpsRequest
}

const internet: Network = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  isPublic: isPublicAddress,
  request: httpsRequest,
}

const maxBytes = 5 * 1024
const timeoutMs = 5000
const maxUrlLength = 500

/**
 * The text of the document at an https address, and how long it may be kept according to its answer's headers. Connects
 * to the address that was checked and to no other, follows no redirect. Throws `AppError` `client_document`.
 */
export async function fetchDocument(url: string, network: Network = internet): Promise<Response> {
  const { hostname, pathname } = checkUrl(url)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const address = await resolvePublic(hostname, network, signal)
    const answer = await open(network, { hostname, path: pathname, address, signal })
    const body = await readBody(answer)
    return new Response(body, { headers: pickHeaders(answer) })
  } catch (error) {
    if (error instanceof AppError) throw error
    const why = signal.aborted ? `did not answer within ${timeoutMs / 1000} s` : 'could not be reached'
    throw refused(`${hostname} ${why}`, error)
  }
}

/** Whether a text is the address of a document that may be fetched at all: https, a public name, its usual port. */
export function isDocumentUrl(text: string): boolean {
  if (text.length > maxUrlLength || !URL.canParse(text)) return false
  const { href, protocol, hostname, port, username, password, search, hash, pathname } = new URL(text)
  // One spelling for one client: no dots to resolve, no letters to fold.
  if (href !== text || protocol !== 'https:' || port || username || password || search || hash) return false
  if (pathname === '/' || isIP(hostname.replace(/^\[|\]$/g, ''))) return false
  return hostname.includes('.') && !/(?:^|\.)(?:localhost|local|internal|home\.arpa|onion|)$/.test(hostname)
}

function checkUrl(url: string): URL {
  if (!isDocumentUrl(url))
    throw refused('the client_id is not an https address with a public host name and a path')
  return new URL(url)
}

async function resolvePublic(
  host: string,
  { resolve, isPublic }: Network,
  signal: AbortSignal,
): Promise<string> {
  const addresses = await Promise.race([resolve(host), aborted(signal)])
  // One private address among them is enough: a name that points both ways is made for that.
  if (addresses.length === 0 || !addresses.every(isPublic)) throw refused(`${host} is not a public address`)
  return addresses[0]!
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

type Opening = { hostname: string; path: string; address: string; signal: AbortSignal }

async function open(
  network: Network,
  { hostname, path, address, signal }: Opening,
): Promise<IncomingMessage> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      host: address,
      port: 443,
      path,
      // The certificate is that of the name, wherever the name has led.
      servername: hostname,
      headers: { host: hostname, accept: 'application/json', 'user-agent': 'Void' },
      agent: false as const,
      maxHeaderSize: 8192,
      signal,
    }
    network.request(options, resolve).once('error', reject).end()
  })
  const type = answer.headers['content-type'] ?? ''
  const problem =
    answer.statusCode !== 200
      ? `answered ${answer.statusCode}`
      : /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)
        ? null
        : 'did not answer with JSON'
  if (problem === null) return answer
  answer.destroy()
  throw refused(`${hostname} ${problem}`)
}

async function readBody(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer) {
    bytes += chunk.length
    // Leaving the loop destroys the stream.
    if (bytes > maxBytes) throw refused(`the document is larger than ${maxBytes / 1024} kB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** What a cache goes by; nothing else of the answer is used. */
function pickHeaders({ headers }: IncomingMessage): Headers {
  const picked = new Headers({ 'content-type': 'application/json' })
  for (const name of ['cache-control', 'expires', 'date', 'age'] as const) {
    const value = headers[name]
    if (typeof value === 'string') picked.set(name, value)
  }
  return picked
}

const refused = (why: string, cause?: unknown) =>
  new AppError('client_document', 400, `The client’s document cannot be used: ${why}.`, { cause })
