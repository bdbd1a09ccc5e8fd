import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpServer } from '../../lib/server/app.ts'
import { whenOver } from './when-over.ts'

/** Serves an app on a free loopback port until the test that is running, or else the test file, ends; the address. */
export async function listen(app: RequestListener): Promise<string> {
  const server = createHttpServer(app)
  // One that closes idle connections does so just when a busy test sends its next request.
  server.keepAliveTimeout = 15_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  whenOver(async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
