// A program is connected in the browser: the page that asks, what it says, and Disconnect in the settings.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProgram } from '../auth/oauth/program.ts'
import { ownerToken } from '../helpers/build-app.ts'
import { makeWorld } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let callbacks: URL[] = []
// The program on the owner's machine waits here for the browser to come back.
const program = createServer((req, res) => {
  const address = new URL(req.url!, 'http://127.0.0.1')
  if (address.pathname === '/callback') callbacks.push(address)
  res.writeHead(200, { 'content-type': 'text/plain' }).end('You may close this page.')
})
await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
afterAll(() => program.close())
beforeAll(async () => {
  await makeWorld(site())
})

const start = (name: string) =>
  createProgram(site().url, {
    name,
    redirectUrl: `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`,
  })

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS
  if (!folder) return
  for (const theme of ['dark', 'light'])
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.evaluate((theme) => {
        document.documentElement.dataset.theme = theme
      }, theme)
      await page.screenshot({ path: `${folder}/${name}-${theme}-${width}.png` })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('the owner signs in, chooses what a program may, and it is connected until it is disconnected', async () => {
  callbacks = []
  const waiting = await site().open('/settings/agents')
  await waiting.click('text=Connect an agent')
  await waiting.waitForSelector('dialog >> text=Waiting for a program to connect')
  expect(await waiting.inputValue('#connect-claude-code')).toBe(
    `claude mcp add --transport http void ${site().url}/mcp`,
  )
  await shoot(waiting, 'connect-agent')
  await expectAccessible(waiting)
  const reader = start('Claude Code')
  const address = await reader.begin()
  const page = await site().open(address.href, { signedIn: false, expectErrors: /status of 400|favicon/ })

  await page.fill('#token', ownerToken)
  await page.click('text=Sign in')
  await page.waitForSelector('h1:has-text("wants to connect")')
  await shoot(page, 'consent')
  await expectAccessible(page)

  // Nothing is chosen by habit: with several Spaces the form is not sent before one is.
  await page.click('text=Only these')
  await page.click('button:text-is("Connect")')
  await page.waitForSelector('text=Select at least one Space')
  await shoot(page, 'consent-problem')
  await page.click('text=Only these')
  await page.check('label:has-text("Skerry Light") input')
  await page.click('button:text-is("Connect")')
  await page.waitForSelector('text=You may close this page.')
  await reader.finish(callbacks.at(-1)!)
  const client = await reader.connect()
  expect((await client.callTool({ name: 'search', arguments: { q: 'oil' } })).isError).toBeFalsy()

  await waiting.waitForSelector('dialog >> text=A program has connected')
  await waiting.click('button:text("Done")')
  await waiting.waitForSelector('.thing >> text=not verified')
  const settings = await site().openTab(page, '/settings/agents')
  await settings.waitForSelector('.thing >> text=not verified')
  await shoot(settings, 'settings')
  await expectAccessible(settings)
  const links = settings.locator('.thing:has-text("Claude Code") >> .agent-links >> a')
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
    '/inbox?agent=claude-code',
    '/activity?actor=agent%3Aclaude-code',
  ])
  await links.nth(1).click()
  await settings.waitForURL('**/activity?actor=agent%3Aclaude-code')
  await settings.waitForSelector('h1:has-text("Activity")')
  await settings.goto(`${site().url}/settings/agents`)
  await settings.click('text=Disconnect')
  await settings.click('text=Disconnect permanently')
  await settings.waitForSelector('.thing >> text=disconnected')
  await expect(client.callTool({ name: 'search', arguments: { q: 'oil' } })).rejects.toThrow()
})

test('Cancel sends the program back, and an old page says what to do', async () => {
  callbacks = []
  const address = await start('Unwanted').begin()
  const context = await site().context()
  await site().signIn(context)
  const page = await context.newPage()
  await page.goto(address.href)

  await page.waitForSelector('h1:has-text("wants to connect")')
  const asked = page.url()
  await page.click('text=Cancel')
  await page.waitForSelector('text=You may close this page.')
  expect(callbacks.at(-1)!.searchParams.get('error')).toBe('access_denied')

  const late = await context.newPage()
  await late.goto(asked)
  await late.waitForSelector('text=This request has expired')
  await shoot(late, 'over')
  await expectAccessible(late)
})
