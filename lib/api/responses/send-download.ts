import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

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
