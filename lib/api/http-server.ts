import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'

/**
 * A server for the application, not yet listening. A request with an `Expect` header that Node does not know is
 * answered as any other (RFC 9110, 10.1.1), rather than by Node's own 417 without a body.
 */
export const createHttpServer = (app: RequestListener): Server =>
  createServer(app).on('checkExpectation', app)

/** For requests that are just coming in; a browser also opens connections in advance and asks nothing on them. */
const lastRequestsMs = 500

/**
 * Goes on listening until no response is being written, at most `ms`; then stops, and closes what is left open after a
 * moment.
 */
export function createClose(server: Server): (ms: number) => Promise<void> {
  const responses = new Set<ServerResponse>()
  let onIdle = () => {}
  for (const event of ['request', 'checkExpectation']) server.prependListener(event, watch)

  function watch(_req: unknown, res: ServerResponse): void {
    responses.add(res)
    res.once('close', () => {
      responses.delete(res)
      if (responses.size === 0) onIdle()
    })
  }

  return async (ms) => {
    const end = performance.now() + ms
    const { promise: idle, resolve } = Promise.withResolvers<void>()
    onIdle = resolve
    const late = setTimeout(resolve, ms)
    if (responses.size > 0) await idle
    clearTimeout(late)
    const closed = new Promise<void>((done) => server.close(() => done()))
    const left = Math.min(lastRequestsMs, end - performance.now())
    const cut = setTimeout(() => server.closeAllConnections(), left)
    await closed
    clearTimeout(cut)
  }
}
