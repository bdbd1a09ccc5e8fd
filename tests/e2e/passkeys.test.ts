// Passkeys with Chromium's own virtual authenticator, at localhost: an IP address cannot have one.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ownerToken } from '../helpers/build-app.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

let clock = new Date('2030-05-01T12:00:00Z')
const site = useSite({ now: () => clock })
const at = (path: string) => site().url.replace('127.0.0.1', 'localhost') + path

test('a passkey is added, confirms the next sign-in and its own removal', async () => {
  const page = await site().open(at('/sign-in?next=/settings/passkeys'), {
    signedIn: false,
    expectErrors: /status of 40[13]/,
  })
  await addAuthenticator(page)
  await enterToken(page)
  await page.waitForURL('**/settings/passkeys')
  await whenReady(page)

  await page.fill('#passkey-name', 'Laptop')
  await page.click('text=Add passkey')
  await page.waitForSelector('.setting >> text=Laptop')
  await page.waitForSelector('.setting >> text=Never used')
  await expectAccessible(page)

  await page.goto(at('/settings/sessions'))
  await whenReady(page)
  await page.click('text=Sign out everywhere')
  await page.waitForURL('**/sign-in')
  await page.goto(at('/sign-in?next=/settings/passkeys'))
  await enterToken(page)
  await page.waitForSelector('text=Confirm with your passkey')
  await expectAccessible(page)
  expect(await page.context().cookies(at('/'))).toEqual([])
  await page.click('text=Use passkey')
  await page.waitForURL('**/settings/passkeys')
  await whenReady(page)
  await page.waitForSelector('.setting >> text=Last used')

  clock = new Date(clock.getTime() + 20 * 60_000)
  await page.click('button:text("Remove")')
  await page.click('text=Remove permanently')
  await page.waitForSelector('.dialog-confirm')
  await expectAccessible(page)
  await page.click('.dialog-confirm >> text=Use passkey')
  await page.waitForSelector('text=No passkeys yet.')
})

test('a page whose session has ended asks for the token and the passkey, and goes on', async () => {
  const page = await site().open(at('/sign-in?next=/settings/passkeys'), {
    signedIn: false,
    expectErrors: /status of 40[13]|WebSocket|ERR_/,
  })
  await addAuthenticator(page)
  await enterToken(page)
  await page.waitForURL('**/settings/passkeys')
  await whenReady(page)
  await page.fill('#passkey-name', 'Phone')
  await page.click('text=Add passkey')
  await page.waitForSelector('.setting >> text=Phone')
  await page.fill('#passkey-name', 'Unsaved')

  await site().owner.delete('/api/sessions')
  await page.fill('#session-token', ownerToken)
  await page.click('.dialog-session >> button:text("Sign in")')
  await page.waitForSelector('.dialog-session', { state: 'detached' })

  expect(await page.inputValue('#passkey-name')).toBe('Unsaved')
  expect((await site().owner.get('/api/sessions')).body.items).toHaveLength(1)
})

test('a password manager that answers in place of the browser is understood', async () => {
  await site().owner.delete('/api/passkeys')
  const page = await site().open(at('/sign-in?next=/settings/passkeys'), {
    signedIn: false,
    expectErrors: /status of 403/,
  })
  await addAuthenticator(page)
  await page.addInitScript(answerInPlaceOfBrowser)
  await enterToken(page)
  await page.waitForURL('**/settings/passkeys')
  await whenReady(page)
  await page.fill('#passkey-name', 'Manager')
  await page.click('text=Add passkey')
  await page.waitForSelector('.setting >> text=Manager')

  clock = new Date(clock.getTime() + 20 * 60_000)
  await page.click('button:text("Remove")')
  await page.click('text=Remove permanently')
  await page.click('.dialog-confirm >> text=Use passkey')

  await expect(page.locator('text=No passkeys yet.')).toBeVisible()
})

test('at an IP address the section says where passkeys work', async () => {
  await site().owner.delete('/api/passkeys')
  const page = await site().open('/settings/passkeys')

  await expect(page.locator('.passkey-new >> text=127.0.0.1 is an IP address')).toBeVisible()
  expect(await page.locator('text=Add passkey').count()).toBe(0)
})

async function enterToken(page: Page): Promise<void> {
  await page.fill('#token', ownerToken)
  await page.click('button:text("Sign in")')
}

/** Objects of its own, whose inherited `toJSON` throws "Illegal invocation". */
function answerInPlaceOfBrowser(): void {
  const { credentials } = navigator
  const imitate = (real: PublicKeyCredential) => {
    const { clientDataJSON } = real.response
    const { attestationObject, authenticatorData, signature } = real.response as never
    const response = { clientDataJSON, attestationObject, authenticatorData, signature }
    Object.assign(response, { getTransports: () => ['internal'] })
    return Object.setPrototypeOf(
      { id: real.id, rawId: real.rawId, type: real.type, response },
      PublicKeyCredential.prototype,
    )
  }
  for (const name of ['create', 'get'] as const) {
    const ask = credentials[name].bind(credentials)
    credentials[name] = async (options) => imitate((await ask(options as never)) as PublicKeyCredential)
  }
}

async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
