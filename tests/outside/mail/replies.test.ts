// Replies as drafts twice: one that waits for the owner here, then one in their mail program. Never sent, never twice.

import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../../../lib/core/logger.ts'
import { deliverReplies } from '../../../lib/outside/mail/replies/deliver-replies.ts'
import { createProposeWithReplies } from '../../../lib/outside/mail/replies/propose-with-replies.ts'
import { createAccountAccess } from '../../../lib/outside/mail/sync/account-access.ts'
import { listen } from '../../helpers/listen.ts'
import { type ScriptedStep, scriptedModel } from '../../helpers/scripted-model.ts'
import { ofType, takeTurn } from '../../helpers/turn-client.ts'
import { makeAgent } from '../../helpers/world.ts'
import { deliver } from './deliver.ts'
import { mailVoid, ownAddress } from './mail-void.ts'
import { writeMail } from './write-mail.ts'

let script: ScriptedStep[] = []
const model = scriptedModel(Array.from({ length: 300 }, () => () => script.shift() ?? { text: 'Done.' }))
const void_ = await mailVoid({ callModel: model })
const { owner, deps, mailbox, space } = void_
const url = await listen(void_.app)
let stop: () => Promise<void>
let accountId = ''

beforeAll(async () => {
  stop = deps.mail.start()
  const { id } = await void_.addAccount({ drafts_allowed: true, aliases: ['light@skerry.example'] })
  accountId = id
})
afterAll(() => stop())

beforeEach(async () => {
  mailbox.gone = false
  mailbox.nextAppend = null
  mailbox.folders.get('Drafts')!.messages.clear()
  await owner.patch(`/api/mail-accounts/${accountId}`).send({ drafts_allowed: true }).expect(200)
})

type Input = Record<string, unknown>

/** A turn in which the model drafts this; what it was told, and the drafts as they are stored. */
async function propose(payload: Input, more: Input = {}) {
  const input = { entity_type: 'reply', action: 'create', payload, reason: 'You asked.', ...more }
  script = [{ tools: [{ name: 'propose_change', input }] }, { text: 'Drafted.' }]
  const frames = await takeTurn({ url, space_id: space.id, body: { text: 'Answer it.' } })
  const told = JSON.stringify(model.requests.at(-1)?.messages.at(-1)?.content)
  const ids = ofType(frames, 'draft').map(({ data }) => data.pending_change_id)
  const drafts = await Promise.all(ids.map((id) => changeOf(id)))
  return { told, drafts, draft: drafts[0] }
}

const changeOf = async (id: string) => (await owner.get(`/api/pending-changes/${id}`).expect(200)).body
const approve = async (id: string, body: Input = {}) =>
  (await owner.post(`/api/pending-changes/${id}/approve`).send(body).expect(200)).body
const deliveryOf = async (id: string) => (await changeOf(id)).card.reply
const reaches = async (id: string, state: string) => {
  await expect.poll(async () => (await deliveryOf(id)).state, { timeout: 15_000, interval: 30 }).toBe(state)
  return await deliveryOf(id)
}
const drafts = () => mailbox.raw('Drafts')
const receive = async (draft: Parameters<typeof writeMail>[0]) =>
  await deliver(deps, space.id, writeMail({ to: `Keeper <${ownAddress}>`, ...draft }))

async function approvedReply(body = 'Ten barrels, please.') {
  const message_id = await receive({ subject: 'Oil' })
  const { draft } = await propose({ message_id, body })
  await approve(draft.id)
  return draft.id as string
}

describe('a reply', () => {
  test('waits as a draft whose headers the server worked out, and is put into Drafts once it is approved', async () => {
    const message_id = await receive({
      id: '<oil2@example.org>',
      references: ['<oil0@example.org>', '<oil1@example.org>'],
      inReplyTo: '<oil1@example.org>',
      subject: 'Öl für die Lampe',
      body: 'How many barrels do you need?\n\nAnna',
    })
    const { draft } = await propose({ message_id, body: 'Zehn Fässer, bitte.\n\nGrüße' })

    expect(drafts()).toEqual([])
    expect(draft).toMatchObject({
      status: 'pending',
      entity_type: 'reply',
      payload: {
        from_address: ownAddress,
        to_addresses: 'anna@example.org',
        cc_addresses: '',
        subject: 'Re: Öl für die Lampe',
        in_reply_to: '<oil2@example.org>',
        reference_ids: '<oil0@example.org> <oil1@example.org> <oil2@example.org>',
      },
      card: {
        summary: 'Draft a reply to ‘anna@example.org’: ‘Re: Öl für die Lampe’',
        reply: null,
        references: { [message_id]: 'Öl für die Lampe' },
      },
    })
    const labels = draft.card.fields.map(({ label }: { label: string }) => label)
    expect(labels).toEqual(expect.arrayContaining(['From', 'To', 'Subject', 'Text', 'Quoted below it']))

    await approve(draft.id, { payload_sha256: draft.payload_sha256 })
    expect(await reaches(draft.id, 'delivered')).toMatchObject({ error: null, folder: 'Drafts' })
    const [raw, ...others] = drafts()
    expect(others).toEqual([])
    const mail = await simpleParser(raw!)
    expect(mail).toMatchObject({
      subject: 'Re: Öl für die Lampe',
      from: { text: ownAddress },
      to: { text: 'anna@example.org' },
      inReplyTo: '<oil2@example.org>',
      references: ['<oil0@example.org>', '<oil1@example.org>', '<oil2@example.org>'],
      messageId: `<${draft.entity_id}@skerry.example>`,
    })
    expect(mail.text).toBe(
      'Zehn Fässer, bitte.\n\nGrüße\n\nOn 20 November 2026 at 10:00 (UTC), Anna Berg <anna@example.org> wrote:\n' +
        '> How many barrels do you need?\n>\n> Anna\n',
    )
  })

  test('goes to everybody but the owner when that is asked for, and from the address that was written to', async () => {
    const message_id = await receive({
      to: 'Light <light@skerry.example>, Ben <ben@example.org>',
      headers: ['Cc: Cleo <cleo@example.org>, Keeper <keeper@skerry.example>, Anna <ANNA@example.org>'],
    })
    const { draft } = await propose({ message_id, body: 'Yes.', all: true })

    expect(draft.payload).toMatchObject({
      from_address: 'light@skerry.example',
      to_addresses: 'anna@example.org',
      cc_addresses: 'ben@example.org, cleo@example.org',
    })
  })

  test('to what the owner wrote goes to whom they wrote', async () => {
    const message_id = await receive({ from: `Keeper <${ownAddress}>`, to: 'Ben <ben@example.org>' })
    const { draft } = await propose({ message_id, body: 'One more thing.' })

    expect(draft.payload).toMatchObject({ from_address: ownAddress, to_addresses: 'ben@example.org' })
  })

  test('is mended by the companion and edited by the owner, who alone says to whom it goes', async () => {
    const message_id = await receive({ subject: 'Rope' })
    const { draft: first } = await propose({ message_id, body: 'Yes.' })
    const { draft } = await propose({ body: 'Yes, two coils.' }, { supersedes: first.id })
    expect(draft.payload).toMatchObject({ body: 'Yes, two coils.', to_addresses: 'anna@example.org' })

    for (const edited of [{ from_address: 'ceo@example.org' }, { in_reply_to: '' }, { quoted: '' }]) {
      await owner.post(`/api/pending-changes/${draft.id}/approve`).send({ edited }).expect(400)
    }
    await owner
      .post(`/api/pending-changes/${draft.id}/approve`)
      .send({ fields: ['to_addresses'] })
      .expect(400)
    const edited = { to_addresses: 'ben@example.org, cleo@example.org', body: 'Yes, three.' }
    const approved = await approve(draft.id, { edited })
    await reaches(approved.id, 'delivered')
    const mail = await simpleParser(drafts()[0]!)
    expect(mail.to).toMatchObject({ text: 'ben@example.org, cleo@example.org' })
    expect(mail.text).toMatch(/^Yes, three\./)
    expect((await owner.post(`/api/pending-changes/${approved.id}/undo`).send({})).body.error).toMatchObject({
      code: 'not_undoable',
    })
  })

  test.each<[string, Input, RegExp]>([
    ['of no message', { body: 'Yes.' }, /message_id: is missing/],
    ['of a message that is not there', { message_id: crypto.randomUUID(), body: 'Yes.' }, /no message/i],
    [
      'with a recipient of the model’s',
      { to_addresses: 'eve@evil.example', body: 'Yes.' },
      /to_addresses: unknown; leave it out, or use one of: message_id, body, all/,
    ],
    [
      'with a header of the model’s',
      { reference_ids: '<x@y>\r\nBcc: eve@evil.example' },
      /reference_ids: unknown; leave it out, or use one of: message_id, body, all/,
    ],
  ])('%s is not drafted', async (_, payload, why) => {
    const { told, drafts } = await propose(payload)

    expect(drafts).toEqual([])
    expect(told).toMatch(why)
  })

  test('to mail of another Space is not drafted', async () => {
    const { body: other } = await owner.post('/api/spaces').send({ name: 'Harbour' }).expect(201)
    const message_id = await deliver(deps, other.id, writeMail({ subject: 'Dues' }))

    expect((await propose({ message_id, body: 'Yes.' })).drafts).toEqual([])
  })

  test('is nothing that an outside agent drafts', async () => {
    const message_id = await receive({})
    const { agentId, token } = await makeAgent(void_, { slug: 'scribe' })
    const agent = { ...(await actorOf(agentId)), slug: 'scribe' }
    const proposal = {
      ...{ space_id: space.id, entity_type: 'reply', action: 'create' as const, reason: '' },
      ...{ payload: { message_id, body: 'Yes.' }, turn: null, tool_use_id: null },
    }

    const proposeReply = createProposeWithReplies({ ...deps, ...deps.changes })
    await expect(proposeReply(agent, proposal)).rejects.toMatchObject({ status: 403 })
    await void_.as(token).post(`/api/spaces/${space.id}/replies`).send({}).expect(404)
  })
})

const actorOf = async (agent_id: string) => ({
  ...{ kind: 'agent' as const, agent_id, spaces: null },
  capabilities: { read: true, suggest: true, write: false },
})

describe('hostile mail', () => {
  test.each([
    [
      'a subject with a header in it',
      { subject: '=?utf-8?Q?Hi=0D=0ABcc:_eve@evil.example=0D=0A=0D=0Abody?=' },
    ],
    [
      'a name with a header in it',
      { from: '=?utf-8?Q?Anna=0D=0ABcc:_eve@evil.example?= <anna@example.org>' },
    ],
    ['an id with a header in it', { id: '<a@b>\r\n <x>', references: ['<r@x>Bcc:', '<ok@example.org>'] }],
    ['a body with headers in it', { body: '\r\n.\r\nBcc: eve@evil.example\r\n\r\nRCPT TO: x' }],
    ['a subject without end', { subject: `${'ä'.repeat(600)} =?utf-8?B?` }],
  ])('%s adds no header', async (_, draft) => {
    const message_id = await receive(draft)
    const { draft: change } = await propose({ message_id, body: 'Bcc: eve@evil.example\r\n\r\n.\r\nYes.' })
    await approve(change.id)
    await reaches(change.id, 'delivered')

    const [raw] = drafts()
    const [head, ...rest] = raw!.split('\r\n\r\n')
    const names = head!.split('\r\n').flatMap((line) => /^([^\s:]+):/.exec(line)?.[1] ?? [])
    expect(names).toEqual([
      ...['Date', 'From', 'To', 'Subject', 'Message-ID'],
      ...(change.payload.in_reply_to === '' ? [] : ['In-Reply-To']),
      ...(change.payload.reference_ids === '' ? [] : ['References']),
      ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding'],
    ])
    expect(raw).toMatch(/^[\t\r\n\x20-\x7e]*$/)
    expect(raw!.split('\r\n').every((line) => line.length <= 998)).toBe(true)
    expect(rest.join('')).not.toBe('')
    const mail = await simpleParser(raw!)
    expect(mail.bcc).toBeUndefined()
    expect(mail.to).toMatchObject({ text: 'anna@example.org' })
    expect(mail.subject).toBe(change.payload.subject)
  })

  test.each([
    'Anna <"a b"@example.org>',
    'Anna <anna@exämple.org>',
    'Anna <a,b@example.org>',
    'undisclosed-recipients:;',
  ])('a sender that cannot be written to is not answered: %s', async (from) => {
    const { told, drafts } = await propose({ message_id: await receive({ from }), body: 'Yes.' })

    expect(drafts).toEqual([])
    expect(told).toContain('no address to reply to')
  })

  test('an owner’s edit cannot add a header either', async () => {
    const { draft } = await propose({ message_id: await receive({}), body: 'Yes.' })
    for (const to_addresses of ['a@b.example\r\nBcc: c@d.example', 'a@b.example;c@d.example', '', 'Anna']) {
      const answer = await owner
        .post(`/api/pending-changes/${draft.id}/approve`)
        .send({ edited: { to_addresses } })
      expect(answer.status).toBe(400)
    }
  })
})

describe('an approved reply', () => {
  test('is a file where the account does not allow drafts, until it does', async () => {
    await owner.patch(`/api/mail-accounts/${accountId}`).send({ drafts_allowed: false }).expect(200)
    const id = await approvedReply()
    expect(await reaches(id, 'file')).toMatchObject({ error: null })
    expect(drafts()).toEqual([])

    const { entity_id } = await changeOf(id)
    const file = await owner.get(`/api/replies/${entity_id}/file`).expect(200)
    expect(file.headers).toMatchObject({
      'content-type': 'message/rfc822',
      'content-disposition': "attachment; filename*=UTF-8''reply.eml",
      'x-content-type-options': 'nosniff',
    })
    expect((await simpleParser(file.text ?? String(file.body))).text).toMatch(/^Ten barrels, please\./)

    await owner.patch(`/api/mail-accounts/${accountId}`).send({ drafts_allowed: true }).expect(200)
    await owner.post(`/api/replies/${entity_id}/deliver`).expect(202)
    await reaches(id, 'delivered')
    expect(drafts()).toHaveLength(1)
    await owner.post(`/api/replies/${entity_id}/deliver`).expect(409)
    await owner.post(`/api/replies/${crypto.randomUUID()}/deliver`).expect(404)
  })

  test('waits while the server is gone, and is there once it is back', async () => {
    mailbox.gone = true
    const id = await approvedReply()
    await expect
      .poll(async () => (await deliveryOf(id)).error, { timeout: 15_000 })
      .toMatch(/Nothing answers/)
    expect((await deliveryOf(id)).state).toBe('waiting')

    mailbox.gone = false
    await reaches(id, 'delivered')
    expect(drafts()).toHaveLength(1)
  })

  test('fails with what the server says, and is put there when the owner tries again', async () => {
    mailbox.nextAppend = 'refused'
    const id = await approvedReply()
    expect(await reaches(id, 'failed')).toMatchObject({ error: expect.stringContaining('Quota exceeded.') })

    const { entity_id } = await changeOf(id)
    await owner.post(`/api/replies/${entity_id}/deliver`).expect(202)
    await reaches(id, 'delivered')
    expect(drafts()).toHaveLength(1)
  })

  test('is there once, when the connection was lost before the server had it', async () => {
    mailbox.nextAppend = 'lost before'
    const id = await approvedReply()
    await reaches(id, 'delivered')

    expect(drafts()).toHaveLength(1)
  })

  test('is there once, when the connection was lost after the server had it', async () => {
    mailbox.nextAppend = 'lost after'
    const id = await approvedReply()
    await reaches(id, 'delivered')

    expect(drafts()).toHaveLength(1)
  })

  test('is not put there again when it was, and is gone since', async () => {
    mailbox.nextAppend = 'lost after'
    mailbox.onAppended = () => mailbox.folders.get('Drafts')!.messages.clear()
    const id = await approvedReply()
    expect(await reaches(id, 'unknown')).toMatchObject({ error: expect.stringContaining('not there') })
    expect(drafts()).toEqual([])

    mailbox.onAppended = () => {}
    const { entity_id } = await changeOf(id)
    await owner.post(`/api/replies/${entity_id}/deliver`).expect(202)
    await reaches(id, 'delivered')
    expect(drafts()).toHaveLength(1)
  })

  test('is not put into another mailbox whose numbers happen to be the same', async () => {
    mailbox.nextAppend = 'lost after'
    mailbox.onAppended = () => {
      mailbox.gone = true
    }
    const id = await approvedReply()
    await expect.poll(async () => (await deliveryOf(id)).error, { timeout: 15_000 }).not.toBeNull()
    const folder = mailbox.folders.get('Drafts')!
    folder.messages.clear()
    folder.next -= 1
    await owner
      .patch(`/api/mail-accounts/${accountId}`)
      .send({ username: 'another', mail: 'keep' })
      .expect(200)
    mailbox.onAppended = () => {}
    mailbox.gone = false

    await reaches(id, 'unknown')
    expect(drafts()).toEqual([])
  })

  test('that a server left in the middle is not sent anew while it may still arrive', async () => {
    mailbox.gone = true
    const id = await approvedReply()
    await expect.poll(async () => (await deliveryOf(id)).error, { timeout: 15_000 }).not.toBeNull()
    await deps.mail.replies.settled()
    const { entity_id } = await changeOf(id)
    // In an hour, so that only the rounds of this test find it due.
    const at = new Date(Date.now() + 3_600_000)
    const later = (ms: number) => new Date(at.getTime() + ms)
    await deps.database.query(
      `update reply_deliveries
       set folder = 'Drafts', uid_validity = '1', uid_next = $2, sent_at = $3, next_attempt_at = $3
       where reply_id = $1`,
      [entity_id, String(mailbox.folders.get('Drafts')!.next), at],
    )
    mailbox.gone = false
    const secrets = { resolve: async () => 'secret', put: async () => {} }
    const round = (now: Date) =>
      deliverReplies(
        {
          ...{ database: deps.database, logger: createLogger('silent'), now: () => now },
          access: createAccountAccess({ database: deps.database, secrets, now: () => now }),
          ...{ connect: mailbox.connectDrafts, onEnd: async () => {} },
        },
        new AbortController().signal,
      )

    await round(later(1000))
    expect([(await deliveryOf(id)).state, drafts().length]).toEqual(['waiting', 0])
    await round(later(61_000))
    expect([(await deliveryOf(id)).state, drafts().length]).toEqual(['delivered', 1])
  })

  test('is decided once by ten tabs', async () => {
    const { draft } = await propose({ message_id: await receive({}), body: 'Yes.' })
    await Promise.all(Array.from({ length: 10 }, () => approve(draft.id)))
    await reaches(draft.id, 'delivered')

    expect(drafts()).toHaveLength(1)
  })
})
