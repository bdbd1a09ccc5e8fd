// The card of a draft in another program: shown by a host of MCP Apps, in a frame that may do nothing but run its script.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { loadDraftApp } from '../../lib/outside/mcp/draft-app.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
const app = loadDraftApp()

/** What the specification has a host allow an app that asks for nothing. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "media-src 'self' data:; connect-src 'none'"

const host = `<!doctype html><html lang="en"><title>A host</title><main><h1>A host</h1>
<iframe title="Draft" src="/app" sandbox="allow-scripts" width="400" height="200"></iframe></main>
<script>
window.received = []
addEventListener('message', ({ data, source }) => {
  received.push(data)
  const answer = { jsonrpc: '2.0', id: data.id, result: { protocolVersion: '2026-01-26', hostContext: { theme: 'light' } } }
  if (data.method === 'ui/initialize') source.postMessage(answer, '*')
})
window.tell = (method, params) => frames[0].postMessage({ jsonrpc: '2.0', method, params }, '*')
</script></html>`

const server = createServer((req, res) => {
  const isApp = req.url === '/app'
  res.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    ...(isApp ? { 'content-security-policy': policy } : {}),
  })
  res.end(isApp && 'text' in app ? app.text : req.url === '/' ? host : '')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())

type Message = { method?: string; params?: Record<string, unknown> }

test('it says what was drafted, leads to Void, and takes what it is given for text', async () => {
  const page = await (await site().context()).newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const frame = page.frameLocator('iframe')
  const received = () => page.evaluate<Message[]>('received')
  const tell = (result: object) =>
    page.evaluate(`tell('ui/notifications/tool-result', ${JSON.stringify(result)})`)
  await expect
    .poll(received)
    .toContainEqual(expect.objectContaining({ method: 'ui/notifications/initialized' }))

  const summary = 'Change page “<img src=x onerror=parent.postMessage(1)>”'
  const url = `${site().url}/inbox/0190a1b2-0000-7000-8000-00000000000f`
  await tell({ content: [], structuredContent: { status: 'pending', summary, url } })
  await frame.getByText(summary).waitFor()
  await expectAccessible(page)
  await frame.getByRole('button', { name: 'Open in Void' }).click()
  await expect
    .poll(received)
    .toContainEqual(expect.objectContaining({ method: 'ui/open-link', params: { url } }))

  await tell({
    structuredContent: { status: 'rejected', summary, reason: 'No birds.', url: 'javascript:alert(1)' },
  })
  await frame.getByText('Reason: No birds.').waitFor()
  expect(await frame.getByRole('button').count()).toBe(0)
  await tell({ isError: true, content: [{ type: 'text', text: 'Denied: <b>no</b>' }] })
  await frame.getByText('Denied: <b>no</b>').waitFor()

  const asked = (await received()).map(({ method }) => method)
  expect(new Set(asked)).toEqual(
    new Set([
      'ui/initialize',
      'ui/notifications/initialized',
      'ui/notifications/size-changed',
      'ui/open-link',
    ]),
  )
})
