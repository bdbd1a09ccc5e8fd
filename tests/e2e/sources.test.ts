import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildApp, ownerToken } from '../helpers/build-app.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { fakeSource, useProposed } from '../outside/sources/source-helpers.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

const words = 'The boat leaves at six in the morning.'
const call = { name: 'call_tool', input: { source: 'Fake', tool: 'echo', arguments: { text: words } } }
const site = useSite({ callModel: scriptedModel([{ tools: [call] }, { text: `They say “${words}”` }]) })
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

test('the answer of a source is opened from its citation and kept as a file', async () => {
  const at = `/api/spaces/${world.space.id}`
  const { body: source } = await site().owner.post(`${at}/sources`).send(fakeSource(''))
  await useProposed(site(), source.id)
  await site().owner.post(`${at}/companion/turn`).send({ text: 'When does it leave?' })
  const page = await site().open(`/s/${world.space.slug}?companion=1`)

  await page.click('.cite')
  await page.waitForSelector(`dialog >> text=${words}`)
  await expectAccessible(page)
  await page.click('#keep-result')
  await page.waitForSelector('dialog >> text=Saved as file')

  const { body } = await site().owner.get(`${at}/source-docs`)
  expect(body.items).toContainEqual(expect.objectContaining({ origin: 'mcp', text: `echo: ${words}` }))
  await site().deps.connections.close()
})

test('a source is added, signed in to at its own site, edited, and signed out of', async () => {
  const { url, close } = await startNeighbour()
  afterAll(close)
  const context = await site().context()
  await site().signIn(context)
  const page = await context.newPage()
  await page.goto('/settings/sources')
  await whenReady(page)

  await page.fill('#source-name', 'Neighbour')
  await page.fill('#source-place', `${url}/mcp`)
  await page.getByRole('button', { name: 'Add source' }).click()
  const source = page.getByRole('article', { name: 'Neighbour' })
  await source.getByText('Needs signing in', { exact: true }).waitFor()
  await expectAccessible(page)
  await source.getByRole('button', { name: 'Connect' }).click()

  // The other Void, at another site, does not know this browser.
  await page.waitForURL(`${url}/**`)
  await page.getByLabel('Owner token').fill(ownerToken)
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: /All Spaces/ }).check()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.waitForURL(`${site().url}/settings/sources`)
  await source.getByText('Answers', { exact: true }).waitFor()
  await source.getByText(`Signed in at ${new URL(url).host}`).waitFor()
  const policy = source.getByLabel('Policy of search')
  expect(await policy.inputValue()).toBe('ask')
  expect(await source.getByText('proposed: call freely').count()).toBeGreaterThan(1)
  await page.setViewportSize({ width: 390, height: 844 })
  const beyond = await source.evaluate((card) =>
    [card, ...card.querySelectorAll('*')]
      .filter((each) => each.getBoundingClientRect().right > innerWidth)
      .map(({ className }) => String(className)),
  )
  expect(beyond).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await source.getByRole('button', { name: 'Use the proposed policies' }).click()
  await expect.poll(() => policy.inputValue()).toBe('read')
  expect(await source.getByText('Proposed policies').count()).toBe(0)

  await source.getByText('Edit Neighbour').click()
  await source.getByLabel('Name', { exact: true }).fill('Next door')
  await source.getByLabel(/^Headers/).fill('X-Api-Key=hush-hush')
  await expectAccessible(page)
  await source.getByRole('button', { name: 'Save' }).click()
  const renamed = page.getByRole('article', { name: 'Next door' })
  await renamed.waitFor()
  await renamed.getByText('Edit Next door').click()
  expect(await renamed.getByLabel(/^Headers/).inputValue()).toBe('X-Api-Key=(hidden)')
  expect(await page.content()).not.toContain('hush-hush')

  await renamed.getByRole('button', { name: 'Disconnect Next door' }).click()
  await renamed.getByRole('button', { name: 'Disconnect Next door permanently' }).click()
  await renamed.getByText(`Signed in at ${new URL(url).host}`).waitFor({ state: 'detached' })
  await site().deps.connections.close()
})

test('a program that would run without a sandbox is added when the owner accepts it', async () => {
  vi.stubEnv('PATH', '/nowhere')
  afterAll(() => vi.unstubAllEnvs())
  const { command, args } = fakeSource('')
  const page = await site().open('/settings/sources', { expectErrors: /status of 409/ })
  await page.fill('#source-name', 'Program')
  await page.fill('#source-place', command)
  await page.fill('#source-args', args.join('\n'))
  await page.getByRole('button', { name: 'Add source' }).click()
  await page.getByText('This machine has no sandbox for programs').waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Run it without a sandbox' }).click()

  const program = page.getByRole('article', { name: 'Program' })
  await program.getByText('Answers', { exact: true }).waitFor()
  await program.getByText('Runs without a sandbox', { exact: true }).waitFor()
  await site().deps.connections.close()
})

/** A second Void, at another site for a browser: it goes by another name of this machine. */
async function startNeighbour(): Promise<{ url: string; close: () => Promise<void> }> {
  const { app } = await buildApp()
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('server has no port')
  const close = async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url: `http://localhost:${address.port}`, close }
}
