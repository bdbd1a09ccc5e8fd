// What the servers beside Void have in common: Express, one path that takes a turn, and two tools over pages in memory.
// Nothing is stored, checked, limited or remembered.

import { randomUUID } from 'node:crypto'
import express, { type Response } from 'express'
import { makePages } from './prose.ts'
import { pagesPerSpace } from './spaces.ts'

export type Send = (type: string, data: unknown) => void

const pages = makePages(pagesPerSpace).map((page) => ({ id: randomUUID(), ...page }))

/** What a tool finds: eight pages for `search`, one for `read`. */
export function findPages(tool: string) {
  const found = tool === 'search' ? pages.slice(0, 8) : pages.slice(0, 1)
  return found.map(({ id, title, body }) => ({ source: `void://page/${id}#0`, title, body }))
}

/** Listens on loopback, prints its address, and answers `POST /turn`. */
export function serveTurns(answer: (text: string, res: Response) => Promise<void> | void): void {
  const app = express()
  app.use(express.json())
  app.post('/turn', async (req, res) => {
    res.socket?.setNoDelay(true)
    await answer(req.body.text, res)
  })
  const server = app.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
  })
  process.on('SIGTERM', () => process.exit(0))
}

/** The same server-sent events as Void, from the first to the last of a turn. */
export async function sendTurn(res: Response, run: (send: Send) => Promise<void>): Promise<void> {
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const send = eventWriter(res)
  send('turn', { turn_id: randomUUID() })
  await run(send)
  send('done', { stop_reason: 'end_turn' })
  res.end()
}

function eventWriter(res: Response): Send {
  let id = 0
  return (type, data) => {
    id += 1
    res.write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
  }
}
