// Checking tasks of a page where it is read.

import { beforeAll, expect, test } from 'vitest'
import { makeWorld, type World } from '../helpers/world.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let world: World
beforeAll(async () => {
  world = await makeWorld(site())
})

let made = 0
async function makePage(body: string) {
  const { owner } = site()
  const { body: page } = await owner
    .post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: `Watch ${++made}`, body })
    .expect(201)
  const stored = async () => (await owner.get(`/api/pages/${page.id}`).expect(200)).body
  return { id: page.id as string, href: `/s/${world.space.slug}/pages/${page.id}`, stored }
}

const body =
  '# Before dusk\n\n- [ ] Trim the wick\n- [x] Fill the lamp\n  - [ ] with **rapeseed** oil\n\n```\n- [ ] code\n```\n'

test('a task is checked by mouse, and undone', async () => {
  const made = await makePage(body)
  const page = await site().open(made.href)
  const box = (name: string) => page.getByRole('checkbox', { name })
  await expectAccessible(page)

  await box('Trim the wick').click()
  await expect.poll(async () => (await made.stored()).body).toBe(body.replace('[ ] Trim', '[x] Trim'))
  await expect.poll(() => box('Trim the wick').isChecked()).toBe(true)

  await page.getByText('Checked “Trim the wick”.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(async () => (await made.stored()).body).toBe(body)
  expect((await made.stored()).version).toBe(3)
})

test('a task is checked by key', async () => {
  const made = await makePage(body)
  const page = await site().open(made.href)
  await page.waitForSelector('.prose[data-tickable="true"]')

  await page.getByRole('checkbox', { name: 'with rapeseed oil' }).press('Space')

  await expect.poll(async () => (await made.stored()).body).toContain('- [x] with **rapeseed** oil')
})

test('tasks checked one right after the other are all kept', async () => {
  const made = await makePage(Array.from({ length: 5 }, (_, n) => `- [ ] Round ${n}`).join('\n'))
  const page = await site().open(made.href)
  await page.getByRole('checkbox', { name: 'Round 4' }).waitFor()

  await page.evaluate(() => {
    for (const box of document.querySelectorAll<HTMLInputElement>('.prose input[type="checkbox"]'))
      box.click()
  })

  await expect
    .poll(async () => (await made.stored()).body)
    .toBe(Array.from({ length: 5 }, (_, n) => `- [x] Round ${n}`).join('\n'))
})

test('where the text has changed elsewhere nothing is overwritten', async () => {
  const made = await makePage('- [ ] Polish the lens\n')
  const page = await site().open(made.href, { expectErrors: /409/ })
  let isFirst = true
  const box = page.getByRole('checkbox', { name: 'Polish the lens' })
  await box.waitFor()
  await page.route('**/api/pages/*', async (route) => {
    if (isFirst && route.request().method() === 'PATCH') {
      isFirst = false
      await site()
        .owner.patch(`/api/pages/${made.id}`)
        .send({ version: 1, body: 'Other words.\n\n- [ ] Polish the lens\n' })
        .expect(200)
    }
    await route.continue()
  })
  await box.click()

  await page.getByText('Could not change the task.').waitFor()
  expect((await made.stored()).body).toBe('Other words.\n\n- [ ] Polish the lens\n')
  await page.getByText('Other words.').waitFor()
  await box.click()
  await expect.poll(async () => (await made.stored()).body).toBe('Other words.\n\n- [x] Polish the lens\n')
})

test('boxes that are not surely those of the text, and those of embedded pages, stay as they are', async () => {
  const inner = await makePage('- [ ] Inner task\n')
  const { body: outer } = await site()
    .owner.post(`/api/spaces/${world.space.id}/pages`)
    .send({ title: 'Outer', body: `- [ ] Outer task\n\n![[${(await inner.stored()).title}]]\n` })
    .expect(201)
  const page = await site().open(`/s/${world.space.slug}/pages/${outer.id}`)
  await page.getByRole('checkbox', { name: 'Outer task' }).click()
  const stored = async () => (await site().owner.get(`/api/pages/${outer.id}`)).body.body
  await expect.poll(stored).toContain('- [x] Outer task')
  await expect.poll(() => page.locator('.embed input[type="checkbox"]').isDisabled()).toBe(true)

  const odd = await makePage('Words.\n\n    - [ ] shown as code\n\n- [ ] Real task\n')
  await page.goto(odd.href)
  await page.waitForSelector('.prose[data-tickable="false"]')
  expect(await page.locator('.prose input[type="checkbox"]').count()).toBe(1)
  expect(await page.locator('.prose input[type="checkbox"]:enabled').count()).toBe(0)
})
