import { AppError } from '../../core/errors.ts'
import { createSafeFetch, type SafeFetch } from '../../core/net/safe-fetch.ts'

const maxBytes = 10_000_000
/** Pictures that can hold no script. */
const shownTypes = /^image\/(?:png|jpeg|gif|webp|avif)$/

/** A picture may have moved. */
const maxRedirects = 3

const fetchPublic = createSafeFetch({ maxBytes, maxRedirects })

type ExternalImage = { type: string; bytes: Buffer }

export type LoadExternalImage = (url: string) => Promise<ExternalImage>

/**
 * A picture of the public internet, asked for without a cookie or a referrer. Throws an `AppError` `source_failed` for
 * what cannot be reached, is no picture, or is longer than 10 MB.
 */
export async function loadExternalImage(url: string, fetch: SafeFetch = fetchPublic): Promise<ExternalImage> {
  const response = await fetch(url, {
    headers: { accept: 'image/avif, image/webp, image/png, image/jpeg, image/gif' },
  })
  const type = (response.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
  if (!response.ok) throw failed(url, `answered with status ${response.status}`)
  if (!shownTypes.test(type)) throw failed(url, 'answered with something other than an image')
  return { type, bytes: Buffer.from(await response.arrayBuffer()) }
}

const failed = (url: string, why: string) =>
  new AppError('source_failed', 502, `${new URL(url).host} ${why}.`)
