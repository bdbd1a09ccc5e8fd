import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { addPasskey, passkeyBrowser } from '../../helpers/passkey-browser.ts'
import { runScript } from '../../helpers/run-script.ts'

const { app } = await buildApp()
const url = await listen(app)
const folder = await mkdtemp(join(tmpdir(), 'void-passkeys-'))
const passkeys = (...args: string[]) =>
  runScript('lib/server/cli/passkeys.ts', args, { env: { DATA_DIR: folder, OWNER_TOKEN: ownerToken } })

beforeEach(async () => {
  await writeFile(join(folder, 'server.json'), JSON.stringify({ url, pid: process.pid }))
})
afterAll(() => rm(folder, { recursive: true }))

test('an owner who has lost every device lists the passkeys, removes them, and signs in without', async () => {
  const browser = passkeyBrowser(app)
  await browser.signIn()
  await addPasskey(browser, 'Old phone')

  const list = await passkeys()
  const locked = await passkeyBrowser(app).signIn()
  const removed = await passkeys('--remove-all')
  const open = await passkeyBrowser(app).signIn()

  expect(list.out).toBe('Passkeys: 1\nOld phone (localhost), last used: never\n')
  expect(removed.out).toContain('Passkeys removed: 1.')
  expect([locked.status, open.status]).toEqual([403, 204])
})

test('without a server, and with an option that does not exist, it says so and does nothing', async () => {
  const mistyped = await passkeys('--remove')
  await rm(join(folder, 'server.json'))
  const alone = await passkeys('--remove-all')

  expect([mistyped.code, alone.code]).toEqual([2, 1])
  expect(mistyped.error).toContain("Unknown option '--remove'")
  expect(alone.error).toContain('Void is not running on this data folder')
})
