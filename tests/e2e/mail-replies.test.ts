// A mailbox on a real server: connected, its mail asked about, a reply drafted, approved, and found in its Drafts.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ModelRequest } from '../../lib/ai/model.ts'
import { type ScriptedStep, scriptedModel } from '../helpers/scripted-model.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { type ImapFixture, imapUrl, openImapFixture } from '../outside/mail/imap-fixture.ts'
import { writeMail } from '../outside/mail/write-mail.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const words = 'The barrels of rapeseed oil cost 92 crowns each.'
const search = { tools: [{ name: 'search_email', input: { q: 'barrels' } }] }

/** As a model does: the id is read in what the search gave. */
function draftReply({ messages }: ModelRequest): ScriptedStep {
  const [, message_id] = /\\"id\\":\\"([0-9a-f-]{36})\\"/.exec(JSON.stringify(messages.at(-1))) ?? []
  const payload = { message_id, body: 'Ten barrels, please.' }
  const input = { entity_type: 'reply', action: 'create', payload, reason: 'You asked for it.' }
  return { tools: [{ name: 'propose_change', input }] }
}

describe.skipIf(!imapUrl)('a mailbox on a real server', () => {
  const site = useSite({
    callModel: scriptedModel([
      search,
      { text: `Anna wrote “${words}”` },
      search,
      draftReply,
      { text: 'It is drafted.' },
    ]),
  })
  let world: World
  let imap: ImapFixture
  let stop: () => Promise<void>

  beforeAll(async () => {
    world = await makeWorld(site())
    imap = await openImapFixture()
    await imap.append(writeMail({ id: '<oil@example.org>', subject: 'Oil for the lamp', body: words }))
    stop = site().deps.mail.start()
  })
  afterAll(async () => {
    await stop?.()
    await imap?.close()
  })

  test('is asked about, answered, and has the reply among its drafts once it is approved', async () => {
    const page = await site().open('/settings/mail')
    await page.selectOption('#mail-space', world.space.id)
    await page.fill('#mail-address', imap.user)
    await page.fill('#mail-password', 'secret')
    await page.fill('#mail-host', imap.host)
    await page.selectOption('#mail-security', 'none')
    await page.fill('#mail-port', String(imap.port))
    await page.getByLabel('Save approved replies to its Drafts folder').check()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const account = page.getByRole('article', { name: imap.user })
    await account.getByText('Up to date', { exact: true }).waitFor()
    await expectAccessible(page)

    await page.goto(`${site().url}/s/${world.space.slug}/mail`)
    await page.getByRole('link', { name: /Oil for the lamp/ }).click()
    await page.getByRole('button', { name: 'Ask about this' }).click()
    await page.keyboard.type('what do the barrels cost?')
    await page.keyboard.press('Enter')
    await page.locator('.cite').first().waitFor()

    await page.getByRole('button', { name: 'Draft a reply' }).click()
    await page.keyboard.type('ten barrels')
    await page.keyboard.press('Enter')
    const card = page.locator('.card').last()
    await card.getByText('Draft a reply to ‘anna@example.org’: ‘Re: Oil for the lamp’').waitFor()
    await card.getByText('Ten barrels, please.').first().waitFor()
    await card.getByText(`> ${words}`).first().waitFor()
    await expectAccessible(page)
    expect(await inDrafts()).toEqual([])

    await card.getByRole('button', { name: 'Edit' }).click()
    const labels = card.locator('form .field-label')
    await expect
      .poll(async () => (await labels.allInnerTexts()).map((label) => label.trim()).toSorted())
      .toEqual(['Cc', 'Subject', 'Text', 'To'])
    await card.getByRole('button', { name: 'Cancel' }).click()
    // The decision is answered after the reply has been delivered and a card that follows events has had time to say so,
    // and with the card as it was before.
    await page.route('**/approve', async (route) => {
      const response = await route.fetch()
      await expect.poll(inDrafts, { timeout: 10_000 }).toHaveLength(1)
      await site().deps.mail.replies.settled()
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.fulfill({ response })
    })
    const decided = page.waitForResponse('**/approve')
    await card.getByRole('button', { name: 'Approve', exact: true }).click()
    await decided
    await expect.poll(() => card.getAttribute('aria-busy')).toBeNull()
    await page.getByText('It is in your mail program under').waitFor()
    await expectAccessible(page)
    expect(await inDrafts()).toEqual([
      {
        subject: 'Re: Oil for the lamp',
        to: ['anna@example.org'],
        from: [imap.user],
        inReplyTo: '<oil@example.org>',
        flags: ['\\Draft', '\\Seen'],
      },
    ])
  })

  async function inDrafts() {
    await imap.client.mailboxOpen('Drafts')
    const found = imap.client.mailbox && imap.client.mailbox.exists > 0
    const messages = found ? await imap.client.fetchAll('1:*', { envelope: true, flags: true }) : []
    return messages.map(({ envelope, flags }) => ({
      subject: envelope?.subject,
      to: envelope?.to?.map(({ address }) => address),
      from: envelope?.from?.map(({ address }) => address),
      inReplyTo: envelope?.inReplyTo,
      flags: [...(flags ?? [])].filter((flag) => flag !== '\\Recent').toSorted(),
    }))
  }
})
