// Files as downloads: streamed under a name, or a range of their bytes.

import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import { safeName } from '../core/text/paths.ts'

/** Streams a file to be saved under `name`. Rejects when it cannot be completed, unless its reader has gone. */
export async function sendDownload(
  res: Response,
  { type, name }: { type: string; name: string },
  content: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  res.writeHead(200, {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
  })
  try {
    await pipeline(content, res)
  } catch (error) {
    if (!res.destroyed) throw error
  }
}

/** The same of values as JSON Lines. */
export async function sendJsonLines(
  res: Response,
  name: string,
  values: AsyncIterable<object>,
): Promise<void> {
  await sendDownload(res, { type: 'application/x-ndjson; charset=utf-8', name }, toLines(values))
}

async function* toLines(values: AsyncIterable<object>) {
  for await (const value of values) yield `${JSON.stringify(value)}\n`
}

/** Bytes of one part: players ask for the next one. */
const maxPartBytes = 4 * 1024 * 1024

/**
 * The bytes that a `Range` header asks for, both included; `null` for all of them, as where it asks for several parts or
 * for what there is not (RFC 9110, 14.2: a server may ignore it).
 */
export function byteRange(header: string | undefined, size: number): { from: number; to: number } | null {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  const [, first = '', last = ''] = found ?? []
  if (!found || (first === '' && last === '') || size === 0) return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (from > end) return null
  return { from, to: Math.min(end, from + maxPartBytes - 1) }
}

const encodeOne = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** The name of a file for `filename*=UTF-8''…` (RFC 5987), which allows less than `encodeURIComponent` leaves. */
export const encodedName = (name: string): string =>
  encodeURIComponent(safeName(name.toWellFormed()) || 'file').replace(/['()*]/g, encodeOne)
