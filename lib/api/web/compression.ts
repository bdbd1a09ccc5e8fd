import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

/** The best of what the client takes; a `q=0` is heeded, finer preferences are not. */
export function pickEncoding(accepted: string | undefined): Encoding {
  const taken = new Set(
    (accepted ?? '')
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0]!.trim().toLowerCase()),
  )
  if (taken.has('br')) return 'br'
  return taken.has('gzip') ? 'gzip' : 'identity'
}

/** The bytes in an encoding. Brotli's quality 11 is for what is kept, 4 for what is made anew each time. */
export async function compress(
  bytes: Uint8Array,
  encoding: Encoding,
  { brotliQuality }: { brotliQuality: number },
): Promise<Uint8Array> {
  if (encoding === 'gzip') return await promisify(gzip)(bytes)
  if (encoding === 'identity') return bytes
  return await promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality },
  })
}

/**
 * Brotli at its best takes two seconds for the editor (564 kB; 164 kB are left), at 5 a twentieth of one (184 kB):
 * what is this large is served quickly at first, and well once that is made.
 */
const largeFrom = 300_000
const well = 11
const quickly = 5

/** A file that is served in several encodings, each made when it is first asked for. */
export type ServedFile = {
  in(encoding: Encoding): Promise<Uint8Array>
  /** Settles when nothing is being made any more. */
  settled(): Promise<void>
}

export function createServedFile(bytes: Uint8Array): ServedFile {
  const made = new Map<Encoding, Promise<Uint8Array>>()
  let better: Promise<void> = Promise.resolve()

  return {
    in(encoding) {
      const known = made.get(encoding)
      if (known) return known
      const isLarge = encoding === 'br' && bytes.length >= largeFrom
      const first = compress(bytes, encoding, { brotliQuality: isLarge ? quickly : well })
      made.set(encoding, first)
      if (isLarge) better = first.then(makeBetter)
      return first
    },
    settled: () => better,
  }

  async function makeBetter(): Promise<void> {
    const best = await compress(bytes, 'br', { brotliQuality: well })
    made.set('br', Promise.resolve(best))
  }
}

/** Sends a file whose name changes with its content, so that it is kept for good. */
export async function sendServedFile(
  req: IncomingMessage,
  res: ServerResponse,
  { file, type }: { file: ServedFile; type: string },
): Promise<void> {
  const encoding = pickEncoding(req.headers['accept-encoding']?.toString())
  res.setHeader('content-type', type)
  res.setHeader('cache-control', 'public, max-age=31536000, immutable')
  res.setHeader('vary', 'accept-encoding')
  if (encoding !== 'identity') res.setHeader('content-encoding', encoding)
  res.end(await file.in(encoding))
}
