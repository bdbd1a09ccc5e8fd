import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { chunksOf, nodeFetch } from '../../../lib/ai/models/node-fetch.ts'

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return `http://127.0.0.1:${address.port}`
}

test('status, headers and body arrive, both ways of reading it', async () => {
  const url = await serve((request, response) => {
    response.writeHead(201, { 'x-method': request.method, 'x-length': request.headers['content-length'] })
    request.pipe(response)
  })
  const post = () => nodeFetch(url, { method: 'POST', headers: { accept: '*/*' }, body: 'green tea 🍵' })

  const whole = await post()
  expect([whole.status, whole.headers.get('x-method'), whole.headers.get('x-length')]).toEqual([
    201,
    'POST',
    '14',
  ])
  expect(await whole.text()).toBe('green tea 🍵')
  expect(Buffer.concat(await Array.fromAsync(chunksOf(await post()))).toString()).toBe('green tea 🍵')
})

test('an abort breaks off the answer that is being read', async () => {
  const url = await serve((_request, response) => response.write('a beginning'))
  const controller = new AbortController()
  const response = await nodeFetch(url, { signal: controller.signal })

  const reading = Array.fromAsync(chunksOf(response))
  controller.abort()

  await expect(reading).rejects.toThrow()
})

test('a body that is cancelled unread lets its connection go', async () => {
  let closed: Promise<unknown> = Promise.resolve()
  const url = await serve((request, response) => {
    closed = once(request.socket, 'close')
    response.write('never read')
  })

  const response = await nodeFetch(url)
  await response.body?.cancel()

  await expect(closed).resolves.toBeDefined()
})

test('a redirect is not followed: the key would go along', async () => {
  const asked: (string | undefined)[] = []
  const url = await serve((request, response) => {
    asked.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })

  const sent = await nodeFetch(url, { method: 'POST', body: 'x' })
  const streamed = await nodeFetch(url, { method: 'POST', body: new FormData() })

  expect([sent.status, streamed.status]).toEqual([307, 307])
  expect(asked).toEqual(['/', '/'])
})

test('an idle connection that the server closed is not an error', async () => {
  const url = await serve((request, response) => {
    response.end('ok')
    response.on('finish', () => setImmediate(() => request.socket.destroy()))
  })

  for (let n = 0; n < 20; n += 1) expect(await (await nodeFetch(url)).text()).toBe('ok')
})
