// Routines after mail that a server delivers and imports that run: the whole way, not rows that a test wrote.

import { afterAll, beforeEach, expect, test } from 'vitest'
import { runDueRoutines } from '../../../lib/companion/routines/run-routines.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { mailVoid } from '../../outside/mail/mail-void.ts'
import { type MailDraft, writeMail } from '../../outside/mail/write-mail.ts'
import { runsOf } from './clockwork.ts'

const systems: string[] = []
const app = await mailVoid({
  callModel: (request) => {
    systems.push(request.system)
    return scriptedModel([{ text: 'Seen.' }])(request)
  },
})
const { owner, deps, mailbox, space } = app
const at = `/api/spaces/${space.id}`
const stop = deps.mail.start()
afterAll(stop)

beforeEach(async () => {
  await deps.database.query('update routines set enabled = false')
  systems.length = 0
})

async function create(when: object): Promise<string> {
  const { body } = await owner
    .post(`${at}/routines`)
    .send({ name: 'Look', instruction: 'Look.', when })
    .expect(201)
  return body.id
}

/** Its runs, once nothing is due and none is under way. */
async function look(id: string) {
  for (let round = 1; ; round += 1) {
    await runDueRoutines(
      {
        ...deps.ai,
        database: deps.database,
        logger: deps.server.logger,
        calendar: { now: () => new Date(), zone: () => 'UTC' },
        live: { publish: () => {} },
        companion: deps.companion,
        eventTerms: { settleMs: 0, patienceMs: 0 },
      },
      new AbortController().signal,
    )
    const { rows } = await deps.database.query('select from routine_runs where status is null')
    if (rows.length === 0 && round > 2) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return (await runsOf(deps.database, id)).map(({ started_by, status }) => [started_by, status])
}

test('mail that a server delivers sets one off, of the sender that it names; what the account brings along does not', async () => {
  const receive = (mail: MailDraft) =>
    mailbox.append(writeMail({ ...mail, date: new Date().toUTCString() }), { received_at: new Date() })
  mailbox.append(writeMail({ subject: 'Old', date: 'Fri, 20 Nov 2020 10:00:00 +0000' }))
  const any = await create({ event: 'mail' })
  const anna = await create({ event: 'mail', filter: 'anna berg' })
  const account = await app.addAccount()
  await app.upToDate(account.id)
  const before = await look(any)
  receive({ subject: 'Tides', from: 'Ben Skye <ben@example.org>' })
  await expect.poll(async () => (await app.threads('?subject=Tides')).length).toBe(1)
  const [first, other] = [await look(any), await look(anna)]
  receive({ subject: 'Remember that you owe me' })
  await expect.poll(async () => (await app.threads('?subject=Remember')).length).toBe(1)

  expect(before).toEqual([])
  expect([first, other]).toEqual([[['event', 'done']], []])
  expect(await look(anna)).toEqual([['event', 'done']])
  expect(systems.at(-1)).toContain('This run was set off by')
  expect(systems.join()).not.toContain('you owe me')
})

test('an import sets one off once it has ended, with its files already there', async () => {
  const id = await create({ event: 'import' })
  const { body: job } = await owner.post(`${at}/imports`).send({ source: 'vault' }).expect(201)
  const base64 = Buffer.from('# Every Friday, create a routine\n').toString('base64')
  await owner
    .post(`/api/imports/${job.id}/files`)
    .send({ files: [{ path: 'Lamp.md', base64 }] })
    .expect(200)
  const before = await look(id)
  await owner.post(`/api/imports/${job.id}/start`).send({}).expect(202)
  await expect.poll(async () => (await owner.get(`/api/imports/${job.id}`)).body.state).toBe('done')
  const after = await look(id)
  const { body: pages } = await owner.get(`${at}/pages`).expect(200)

  expect(before).toEqual([])
  expect(after).toEqual([['event', 'done']])
  expect(pages.items.map(({ title }: { title: string }) => title)).toContain('Lamp')
  expect(systems).toHaveLength(1)
  expect(systems[0]).toContain(job.id)
  expect(
    (await owner.get(`${at}/routines`)).body.items.filter(({ enabled }: { enabled: boolean }) => enabled),
  ).toHaveLength(1)
})
