// A client may name itself by the address of a document about it (draft-ietf-oauth-client-id-metadata-document). That
// address comes from outside, so what is fetched and from where is held as narrow as it can be.

import { isIP } from 'node:net'
import { AppError } from '../../core/errors.ts'
import { createSafeFetch, type Network } from '../../core/net/safe-fetch.ts'

const maxBytes = 5 * 1024
const timeoutMs = 5000
const maxUrlLength = 500

/**
 * The text of the document at an https address of the public internet, and how long it may be kept according to its
 * answer's headers. Follows no redirect. Throws `AppError` `client_document`.
 */
export async function fetchDocument(url: string, network?: Partial<Network>): Promise<Response> {
  if (!isDocumentUrl(url))
    throw refused('the client_id is not an https address with a public host name and a path')
  const fetch = createSafeFetch({ toError: refused, maxBytes, timeoutMs, network })
  const answer = await fetch(url, { headers: { accept: 'application/json' } })
  const type = answer.headers.get('content-type') ?? ''
  const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)
  if (answer.status === 200 && isJson)
    return new Response(await answer.text(), { headers: pickHeaders(answer) })
  await answer.body?.cancel()
  const { hostname } = new URL(url)
  throw refused(
    `${hostname} ${answer.status === 200 ? 'did not answer with JSON' : `answered ${answer.status}`}`,
  )
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

/** What a cache goes by; nothing else of the answer is used. */
function pickHeaders({ headers }: Response): Headers {
  const picked = new Headers({ 'content-type': 'application/json' })
  for (const name of ['cache-control', 'expires', 'date', 'age'] as const) {
    const value = headers.get(name)
    if (value !== null) picked.set(name, value)
  }
  return picked
}

const refused = (why: string, cause?: unknown) =>
  new AppError('client_document', 400, `The client’s document cannot be used: ${why}.`, { cause })
