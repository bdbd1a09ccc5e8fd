// Mail that arrives is looked at without anybody opening it, once, and only where the owner wants it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliver } from '../../outside/mail/deliver.ts'
import { writeMail } from '../../outside/mail/write-mail.ts'
import { asking, digIn, glanceWorld, seen, speak } from './glance-world.ts'

const world = await glanceWorld()
const { owner, deps, script, asked, clock } = world
clock.at = new Date()
const recently = new Date(Date.now() - 60_000).toUTCString()
const subjectOf = (text: string) => ({
  ...asking,
  date: recently,
  subject: text,
  id: `<${text.replaceAll(' ', '')}@x.example>`,
})
let stop: () => Promise<void>
beforeAll(() => {
  script.triage = ({ messages }) => {
    const subject = /Subject: ([^\\]+)/.exec(JSON.stringify(messages))?.[1]
    return digIn({ ...seen, subject })
  }
  script.analyst = () => speak(undefined)
  stop = deps.glance.start()
})
afterAll(() => stop())

const list = async (space: string) => (await owner.get(`/api/spaces/${space}/glances`).expect(200)).body.items

test('a mail that arrives is spoken of; older mail and that of a Space that is off is not', async () => {
  const off = await world.space('off')
  const space = await world.space('live')
  await deliver(deps, off, writeMail(subjectOf('Lease of the shed')))
  await deliver(
    deps,
    space,
    writeMail({ ...asking, subject: 'Lease of old', date: 'Mon, 1 Jun 2026 10:00:00 +0000' }),
  )
  const message = await deliver(deps, space, writeMail(subjectOf('Lease of the boathouse')))

  await expect.poll(async () => (await list(space)).length, { timeout: 20_000 }).toBe(1)

  const [row] = await list(space)
  expect(row).toMatchObject({ source: 'mail', nudge: true, evidence: [{ message_id: message }] })
  expect([(await list(off)).length, asked.triage.length]).toEqual([0, 1])
})

test('mail that came while a nudge was fresh is looked at later, and nothing is recorded of the wait', async () => {
  const space = await world.space('live')
  await deliver(deps, space, writeMail(subjectOf('Lease of the jetty')))
  await expect.poll(async () => (await list(space)).length, { timeout: 20_000 }).toBe(1)
  await deliver(deps, space, writeMail(subjectOf('Lease of the quay')))
  world.minutesLater(3.1)

  await expect.poll(async () => (await list(space)).length, { timeout: 20_000 }).toBe(2)

  expect((await list(space)).map(({ reason }: { reason: string }) => reason)).toEqual(['shown', 'shown'])
})
