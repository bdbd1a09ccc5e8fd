import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMessage, makePdf } from '../files/import/make-files.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { deliver } from '../outside/mail/deliver.ts'
import { FakeMailbox } from '../outside/mail/fake-mailbox.ts'
import { writeMail } from '../outside/mail/write-mail.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

const words = 'The barrels of rapeseed oil cost 92 crowns each.'
const mailbox = new FakeMailbox()
const site = useSite({
  connectMail: mailbox.connect,
  mailDiscovery: {
    async resolveSrv(name) {
      if (name !== '_imap._tcp.lighthouse.org') throw new Error('ENOTFOUND')
      return [{ name: 'post.lighthouse.org', port: 1143, priority: 0, weight: 0 }]
    },
    async resolve(host) {
      if (host !== 'post.lighthouse.org') throw new Error('ENOTFOUND')
      return ['93.184.215.14']
    },
    fetch: async () => new Response(null, { status: 404 }),
  },
  callModel: scriptedModel([
    { tools: [{ name: 'search_email', input: { q: 'barrels' } }] },
    { text: `Anna wrote “${words}”` },
  ]),
})
let world: World
let stop: () => Promise<void>

beforeAll(async () => {
  world = await makeWorld(site())
  stop = site().deps.mail.start()
})
afterAll(() => stop())

test('the server of an address is looked up, and what the owner wrote stays', async () => {
  const page = await site().open('/settings/mail')
  const host = () => page.inputValue('#mail-host')
  await page.fill('#mail-address', 'keeper@lighthouse.org')
  await page.locator('#mail-password').focus()

  await page.getByText('Found in the DNS records of the domain.').waitFor()
  await expect.poll(host).toBe('post.lighthouse.org')
  expect(await page.inputValue('#mail-port')).toBe('1143')
  expect(await page.inputValue('#mail-security')).toBe('starttls')
  await expectAccessible(page)

  await page.selectOption('#mail-method', 'oauth')
  await page.getByLabel('Refresh token').waitFor()
  await page.fill('#mail-token-url', 'https://tokens.lighthouse.org/')
  await page.fill('#mail-client-id', 'void')
  await expectAccessible(page)
  await page.selectOption('#mail-method', 'password')
  await page.getByLabel('Token endpoint').waitFor({ state: 'hidden' })

  await page.fill('#mail-port', '1993')
  await page.selectOption('#mail-security', 'tls')
  expect(await page.inputValue('#mail-port')).toBe('1993')

  await page.fill('#mail-host', 'mine.lighthouse.org')
  await page.fill('#mail-address', 'other@lighthouse.org')
  await page.locator('#mail-password').focus()
  expect(await host()).toBe('mine.lighthouse.org')
})

test('an account is connected, its mail read, searched and asked about', async () => {
  mailbox.append(writeMail({ subject: 'Oil for the lamp', body: `${words}\n\n-- \nAnna` }))
  const page = await site().open(`/s/${world.space.slug}/mail`)
  await page.getByText('No mail in this Space.').waitFor()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Connect account' }).click()
  await page.fill('#mail-address', 'keeper@gmail.com')
  expect(await page.inputValue('#mail-host')).toBe('imap.gmail.com')
  await page.fill('#mail-password', 'wrong')
  await page.fill('#mail-host', 'localhost')
  await page.selectOption('#mail-security', 'none')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('The server refused the user name or the password.').first().waitFor()
  expect(await page.inputValue('#mail-password')).toBe('')

  const account = page.getByRole('article', { name: 'keeper@gmail.com' })
  expect(await account.getByLabel('IMAP server').inputValue()).toBe('localhost')
  expect(await account.getByLabel('Security').inputValue()).toBe('none')
  await account.getByLabel(/^Password/).fill('secret')
  await account.getByRole('button', { name: 'Save' }).click()
  await account.getByText('Up to date', { exact: true }).waitFor()
  await account.getByText(/1 message\b/).waitFor()
  await expectAccessible(page)

  await account.getByText('Edit keeper@gmail.com').click()
  await account.getByText('Folders that are read').click()
  await account.getByLabel('Archive').uncheck()
  await expectAccessible(page)
  await account.getByRole('button', { name: 'Save' }).click()
  const folders = async () =>
    (await site().owner.get(`/api/spaces/${world.space.id}/mail-accounts`)).body.items[0].folders
  await expect.poll(folders).toEqual(['INBOX', 'Sent'])
  await account.getByText('Up to date', { exact: true }).waitFor()

  await page.getByRole('link', { name: 'Mail', exact: true }).first().click()
  await page.goto(`${site().url}/s/${world.space.slug}/mail`)
  await whenReady(page)
  await page.getByRole('link', { name: /Oil for the lamp/ }).waitFor()
  mailbox.append(
    writeMail({
      subject: 'Invoice',
      headers: ['Content-Type: text/html'],
      body: '<p>Pay <b>now</b></p><script>document.title = "owned"</script><img src="https://tracker.example/p.gif" onerror="document.title = \'owned\'"><form action="https://evil.example"><input></form>',
    }),
  )
  await page.getByRole('link', { name: /Invoice/ }).waitFor()
  await expectAccessible(page)

  await page.getByRole('link', { name: /Invoice/ }).click()
  const message = page.getByRole('article', { name: /Message from/ })
  await message.getByText('Pay now').waitFor()
  expect(await message.locator('img, form, input, script, iframe').count()).toBe(0)
  expect(await page.title()).not.toContain('owned')
  await expectAccessible(page)

  mailbox.append(
    makeMessage({
      id: 'files',
      subject: 'Lease of the boathouse',
      text: 'See the files.',
      attachments: {
        'lease.pdf': makePdf(['The rent is 410 crowns.']),
        'tower.png': Buffer.from([0x89, 0x50]),
      },
    }),
  )
  await page.goto(`${site().url}/s/${world.space.slug}/mail`)
  await page.getByRole('link', { name: /Lease of the boathouse/ }).click()
  const files = page.getByRole('list', { name: 'Attachments' })
  await files.getByText('Show text').first().click()
  await files.getByText('The rent is 410 crowns.').waitFor()
  mailbox.append(
    makeMessage({
      id: 'again',
      subject: 'Re: Lease of the boathouse',
      inReplyTo: 'files',
      text: 'All signed.',
    }),
  )
  await page.getByText('All signed.').waitFor()
  await files.getByText('The rent is 410 crowns.').waitFor()
  await files.getByText('Show text').last().click()
  await files.getByText('Void reads the text of PDF, Word and text files.').waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), files.getByRole('link').first().click()])
  expect(file.suggestedFilename()).toBe('lease.pdf')
  await expectAccessible(page)

  await page.goto(`${site().url}/s/${world.space.slug}/mail`)
  await whenReady(page)
  await page.fill('#mail-q', 'rapeseed')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('#threads > li').count()).toBe(1)
  await page.getByRole('link', { name: /Oil for the lamp/ }).click()
  await page.getByText(words).first().waitFor()

  await page.getByRole('button', { name: 'Make a task' }).click()
  expect(await page.inputValue('#composer')).toBe('Create a task from this mail thread.')
  await page.fill('#composer', '')
  await page.getByRole('button', { name: 'Ask about this' }).click()
  await page.keyboard.type('what do the barrels cost?')
  await page.keyboard.press('Enter')
  await page.click('.cite')
  await page.waitForURL(/\/mail\/[0-9a-f-]{36}\?cite=/)
  await page
    .getByRole('article', { name: /Message from Anna/ })
    .getByText(words)
    .waitFor()
  await expectAccessible(page)
})

test('where a disguised link leads is said in full, also on a narrow screen', async () => {
  const host = 'sign-in.of-a-server-with-a-name-that-is-longer-than-a-line.evil.example'
  const body = `<p>See <a href="https://${host}/">www.bank.example</a>.</p>`
  const headers = ['Content-Type: text/html']
  await deliver(site().deps, world.space.id, writeMail({ subject: 'Your account', body, headers }))
  const page = await site().open(`/s/${world.space.slug}/mail`, { viewport: { width: 390, height: 844 } })

  await page.getByText('Your account').first().click()
  const note = page.locator('[data-kind=disguise]')
  await note.waitFor()

  const right = async (selector: string) =>
    await page.locator(selector).evaluate((element) => element.getBoundingClientRect().right)
  expect(await note.innerText()).toBe(`leads to ${host}`)
  expect(await right('[data-kind=disguise]')).toBeLessThanOrEqual(await right('.prose:has([data-kind])'))
})
