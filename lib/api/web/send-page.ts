import type { Request, Response } from 'express'
import { compress, pickEncoding } from './compression.ts'

/** Sends a page, compressed as the browser accepts it. */
export async function sendPage(req: Request, res: Response, status: number, page: string): Promise<void> {
  const encoding = pickEncoding(req.headers['accept-encoding'])
  res.status(status).type('html')
  res.setHeader('vary', 'accept-encoding')
  if (encoding !== 'identity') res.setHeader('content-encoding', encoding)
  res.end(await compress(Buffer.from(page), encoding, { brotliQuality: 4 }))
}

/** Whether a page of another site sent the browser here. */
export const isForeignNavigation = (req: Request): boolean =>
  req.headers['sec-fetch-site'] === 'cross-site' && req.headers['sec-fetch-mode'] === 'navigate'

/** Sends a page that makes the browser request an address by itself, as a navigation within this site. */
export function sendRefresh(res: Response, address: string): void {
  const escaped = address.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  res.status(200).type('html').send(`<!doctype html><meta http-equiv="refresh" content="0; url=${escaped}">`)
}
