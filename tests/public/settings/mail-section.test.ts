import { expect, test } from 'vitest'
import type { MailAccount } from '../../../lib/contract/mail.ts'
import type { LoadContext, ViewContext } from '../../../public/app/view.ts'
import { mailSection } from '../../../public/settings/mail/mail-section.ts'
import { el } from '../../../public/ui/dom.ts'

const account: MailAccount = {
  ...{ id: 'an-account', space_id: 'a-space', address: 'keeper@skerry.example', aliases: [] },
  ...{ host: 'imap.skerry.example', port: 993, security: 'tls', username: 'keeper@skerry.example' },
  ...{ folders: null, missing_folders: [], drafts_allowed: false, oauth: null },
  ...{ state: 'watching', error: null, last_sync_at: null, messages: 12, unreadable: 0 },
  ...{ created_at: '2026-11-20T12:00:00Z', updated_at: '2026-11-20T12:00:00Z' },
}

/** The section as it is written for a browser. */
async function htmlOf(more: Partial<MailAccount>): Promise<string> {
  const get = async (path: string) => ({
    items: path.startsWith('/api/spaces?')
      ? [{ id: 'a-space', name: 'Skerry Light' }]
      : [{ ...account, ...more }],
  })
  const section = await mailSection.open({ api: { get } } as unknown as LoadContext)
  const context = {
    app: { api: {} },
    now: new Date(),
    url: new URL('http://x/'),
    space: null,
  } as unknown as ViewContext
  return el('div', {}, section.render(context)).outerHTML
}

const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

test('a folder that is gone is shown with the one that has its messages, and what can be done', async () => {
  const html = await htmlOf({ missing_folders: [{ path: 'Work', messages: 3, proposed: 'Jobs' }] })

  expect(textOf(html)).toMatch(/The folder .?Work.? is no longer on the server\. Its 3 messages are kept\./)
  expect(textOf(html)).toMatch(/Jobs.? has the same messages/)
  expect(textOf(html)).toMatch(/Read .?Jobs.? instead/)
  expect(textOf(html)).toContain('Keep its mail')
  expect(textOf(html)).toContain('Remove its mail')
})

test('one without mail is only named', async () => {
  const text = textOf(await htmlOf({ missing_folders: [{ path: 'Work', messages: 0, proposed: null }] }))

  expect(text).toContain('is no longer on the server.')
  expect(text).toContain('Dismiss')
  expect(text).not.toContain('Remove its mail')
})

test('the form of an account asks what becomes of its mail, once another mailbox is named', async () => {
  const html = await htmlOf({})

  expect(textOf(html)).toContain('Mail of the old mailbox')
  expect(html).toMatch(/<select[^>]* id="mail-old-an-account"/)
})
