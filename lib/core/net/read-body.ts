// The body of an answer, counted before it is parsed.

import { exceededBound, type JsonBounds } from '../text/bounds.ts'
import type { SafeFetch } from './safe-fetch.ts'

export type BodyBounds = JsonBounds & { bytes: number }

/** As text. Rejects with a `RangeError` once it has more bytes. */
export const readText = async (response: Response, maxBytes: number): Promise<string> =>
  new TextDecoder().decode(await readBytes(response, maxBytes))

/** As JSON. Rejects with a `RangeError` for what exceeds a bound, with a `SyntaxError` for what is none. */
export async function readJson(response: Response, bounds: BodyBounds): Promise<unknown> {
  return JSON.parse(new TextDecoder().decode(await readCounted(response, bounds)))
}

/** For those who parse what they are given: it has no answer that exceeds a bound. */
export const withCountedJson =
  (fetchFn: SafeFetch, bounds: BodyBounds): SafeFetch =>
  async (url, init) => {
    const response = await fetchFn(url, init)
    if (!response.body) return response
    const { status, statusText, headers } = response
    return new Response(await readCounted(response, bounds), { status, statusText, headers })
  }

async function readCounted(response: Response, bounds: BodyBounds): Promise<Buffer<ArrayBuffer>> {
  const bytes = await readBytes(response, bounds.bytes)
  const exceeded = exceededBound(bytes, bounds)
  if (exceeded) throw new RangeError(`The answer exceeds a limit of ${exceeded}: ${bounds[exceeded]}.`)
  return bytes
}

async function readBytes({ body }: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) throw new RangeError(`The answer exceeds a limit of bytes: ${maxBytes}.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
