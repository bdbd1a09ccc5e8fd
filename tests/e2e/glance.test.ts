import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { asking, digIn, scriptedGlance, seen, speak, viewOf } from '../companion/glance/glance-world.ts'
import { deliver } from '../outside/mail/deliver.ts'
import { writeMail } from '../outside/mail/write-mail.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite, whenReady } from './support/site.ts'

const { script, asked, callModel } = scriptedGlance()
const site = useSite({ callModel, smallModel: callModel })
const ask = 'could you send me the signed lease by Friday?'
const message = /Anna Berg: “could you send me the signed lease by Friday\?”/
const recently = () => new Date(Date.now() - 3_600_000).toUTCString()
let made = 0

/** A Space with threads that both models want to speak of. */
async function lighthouse(mode: string, subjects: string[] = ['Lease of the boathouse']) {
  const { owner, deps } = site()
  const { body: space } = await owner
    .post('/api/spaces')
    .send({ name: `Skerry ${++made}` })
    .expect(201)
  await owner.patch(`/api/spaces/${space.id}/glance-settings`).send({ mode }).expect(200)
  const threads: string[] = []
  for (const subject of subjects) {
    const id = await deliver(deps, space.id, writeMail({ ...asking, subject, date: recently() }))
    threads.push((await owner.get(`/api/mail-threads/${id}`).expect(200)).body.id)
  }
  asked.triage.length = 0
  script.triage = ({ messages }) =>
    digIn({ ...seen, subject: /Subject: ([^\\]+)/.exec(JSON.stringify(messages))?.[1] })
  script.analyst = () => speak(undefined, ask)
  return { space, threads, at: `/s/${space.slug}` }
}

async function verdicts(spaceId: string): Promise<string[]> {
  const { body } = await site().owner.get(`/api/spaces/${spaceId}/glances?nudges=true`).expect(200)
  return body.items.map(({ verdict }: { verdict: string }) => verdict)
}

const nudgeOf = (page: Page) => page.getByRole('region', { name: 'Suggestion' })

/** A page whose clock can be moved on. */
async function openAt(path: string, options = {}): Promise<Page> {
  const page = await site().open('/spaces', { alone: true, ...options })
  await page.clock.install()
  await page.goto(path)
  await whenReady(page)
  return page
}

/** Moves on until the server was asked: what waits for the dwell begins once the settings are known. */
async function dwell(page: Page, ms = 31_000): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(ms)
        return asked.triage.length
      },
      { timeout: 20_000, interval: 300 },
    )
    .toBeGreaterThan(0)
}

test('a nudge appears after a while, is explained and used, and takes no focus', async () => {
  const { at, threads, space } = await lighthouse('live')
  const page = await openAt(`${at}/mail/${threads[0]}`)
  await page.locator('#composer').waitFor()
  await page.getByRole('button', { name: 'Make a task' }).focus()
  await dwell(page)

  await nudgeOf(page).getByText(message).waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Make a task')
  await page.locator('[aria-live="polite"], [role="status"]').getByText(message).first().waitFor()
  await nudgeOf(page).getByText('Why', { exact: true }).click()
  await nudgeOf(page)
    .locator('blockquote', { hasText: 'could you send me the signed lease by Friday?' })
    .waitFor()
  await nudgeOf(page).getByText('it has no answer yet').waitFor()
  await expectAccessible(page)

  const other = await site().openTab(page, `${at}?companion=1`)
  await nudgeOf(other).getByText(message).waitFor()

  await nudgeOf(page).getByRole('button', { name: 'Draft a reply' }).click()
  await expect
    .poll(() => page.inputValue('#composer'))
    .toBe('Draft my reply to “Anna Berg” about “Lease of the boathouse” (due: Friday).')
  await expect.poll(() => nudgeOf(page).count()).toBe(0)
  await expect.poll(() => nudgeOf(other).count()).toBe(0)
  await expect.poll(() => verdicts(space.id)).toEqual(['useful'])
  expect((await site().owner.get(`/api/spaces/${space.id}/companion`)).body.messages).toEqual([])
})

test('a nudge that came elsewhere is there after a reload, marks the closed rail, and is dismissed', async () => {
  const { at, threads, space } = await lighthouse('live')
  const page = await site().open(at, { viewport: { width: 900, height: 800 } })
  await expect.poll(() => page.locator('html[data-nudge]').count()).toBe(0)
  await site().owner.post(`/api/spaces/${space.id}/glance`).send(viewOf(threads[0]!)).expect(200)

  await page.locator('html[data-nudge] .strip').waitFor()
  const dot = () =>
    page.evaluate(() => getComputedStyle(document.querySelector('.strip')!, '::after').content)
  expect(await dot()).not.toBe('none')
  await page.reload()
  await page.locator('html[data-nudge] .strip').click()
  await nudgeOf(page).getByRole('button', { name: 'Not now' }).click()

  await expect.poll(() => page.locator('html[data-nudge]').count()).toBe(0)
  await expect.poll(() => verdicts(space.id)).toEqual(['dismissed'])
})

test('nothing is looked at while the owner writes; a sender can be muted', async () => {
  const { at, threads, space } = await lighthouse('live')
  const page = await openAt(`${at}/mail/${threads[0]}`)
  await page.locator('#composer').waitFor()
  await page.clock.fastForward(29_000)
  await page.fill('#composer', 'Hello')
  await page.clock.fastForward(2000)
  await site().owner.get('/health').expect(200)
  expect(asked.triage).toHaveLength(0)
  await dwell(page)

  await nudgeOf(page).getByText('Why', { exact: true }).click()
  await nudgeOf(page).getByRole('button', { name: 'Never for this sender' }).click()

  const settings = async () => (await site().owner.get(`/api/spaces/${space.id}/glance-settings`)).body
  await expect
    .poll(async () => (await settings()).muted)
    .toEqual([{ type: 'sender', value: 'anna@example.org' }])
  await page.goto(`/s/${space.slug}/settings`)
  await whenReady(page)
  await page.getByRole('button', { name: 'Unmute anna@example.org' }).click()
  await expect.poll(async () => (await settings()).muted).toEqual([])
})

test('in shadow mode nothing is shown, and Settings lists what would have been said, to be judged', async () => {
  const { at, threads, space } = await lighthouse('off')
  const settings = async () => (await site().owner.get(`/api/spaces/${space.id}/glance-settings`)).body
  const page = await openAt(`/s/${space.slug}/settings`)
  const article = page.getByRole('region', { name: 'Glance', exact: true })
  await article.getByRole('radio', { name: 'Shadow' }).check()
  await expect.poll(async () => (await settings()).mode).toBe('shadow')
  expect(await article.getByRole('radio', { name: 'Live' }).isDisabled()).toBe(true)

  await page.goto(`${at}/mail/${threads[0]}`)
  await whenReady(page)
  await dwell(page)
  await expect
    .poll(
      async () => (await site().owner.get(`/api/spaces/${space.id}/glances?nudges=true`)).body.items.length,
    )
    .toBe(1)
  expect(await nudgeOf(page).count()).toBe(0)

  await page.goto(`/s/${space.slug}/settings`)
  await whenReady(page)
  await article.getByText(message).first().waitFor()
  await expectAccessible(page)
  await article.getByRole('button', { name: /^No: / }).click()
  await expect
    .poll(async () => (await settings()).score)
    .toMatchObject({ judged: 1, false_alarms: 1, ready: false })
  await article.getByRole('button', { name: /^Yes: / }).click()
  await expect.poll(async () => (await settings()).score.false_alarms).toBe(0)

  await site().deps.database.query(
    `insert into glances (id, space_id, source, mode, view_key, title, stage, reason, nudge, evaluated, message,
       action_prompt, verdict, created_at, finished_at)
     select gen_random_uuid(), $1, 'view', 'shadow', '', '', 'analyst', 'shadow', n <= 19, true, 'x', 'x',
       case when n <= 19 then 'useful' end, now(), now()
     from generate_series(1, 100) as n`,
    [space.id],
  )
  await page.reload()
  await article.getByRole('button', { name: 'Turn on' }).click()
  await expect.poll(async () => (await settings()).mode).toBe('live')
})
