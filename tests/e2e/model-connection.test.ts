// A model is connected in the settings of a server that has none.

import { beforeAll, expect, test } from 'vitest'
import { listen } from '../helpers/listen.ts'
import { profiles, startModelServer } from '../helpers/model-servers.ts'
import { makeWorld } from '../helpers/world.ts'
import { useSite } from './support/site.ts'

const site = useSite({
  reachesModels: true,
  anthropicModel: 'configured',
  anthropicMaxTokens: 100,
  routerModel: null,
})
beforeAll(async () => {
  await makeWorld(site())
})

/** A provider that lists one model, takes one key, and answers nothing else. */
const provider = () =>
  listen((req, res) => {
    req.resume()
    const isKnown = req.headers.authorization === 'Bearer sk-right'
    const body = { data: [{ type: 'model', id: 'claude-of-mine', display_name: 'Mine' }] }
    const error = { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }
    res.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    res.end(JSON.stringify(isKnown ? body : error))
  })

test('it is entered, listed and tested, the rail shows it at once, and its key stays at its address', async () => {
  const url = await provider()
  const page = await site().open('/settings/model', { expectErrors: /400 \(Bad Request\)/ })
  const form = page.locator('form[aria-label="Model connection"]')
  const save = form.getByRole('button', { name: 'Save' })

  await page.waitForSelector('.model-state >> text=No model connected')
  await form.locator('#model-server').selectOption('messages')
  await form.locator('#model-url').fill(url)
  await form.locator('#model-password').fill('sk-wrong')
  await save.click()
  await page.waitForSelector('.model-state >> text=configured is connected')
  await page.click('#test-connection')
  await page.waitForSelector('.test-bad >> text=rejected the API key')

  await form.locator('#model-password').fill('sk-right')
  await save.click()
  await expect.poll(() => form.locator('#model-names option').count()).toBe(1)
  await form.locator('#model-name').fill('claude-of-mine')
  await save.click()
  await page.waitForSelector('.model-state >> text=claude-of-mine is connected')
  await page.waitForSelector('.rail >> text=claude-of-mine', { state: 'attached' })
  expect(await page.locator('.no-model').count()).toBe(0)
  expect(await form.locator('#model-password').inputValue()).toBe('')
  expect(await page.content()).not.toContain('sk-right')

  await form.locator('#model-url').fill('http://127.0.0.1:9')
  await save.click()
  await page.waitForSelector('.problem >> text=Enter the API key again')

  await form.getByRole('button', { name: 'Use the server’s configuration' }).click()
  await page.waitForSelector('.model-state >> text=No model connected')
  await page.waitForSelector('.rail >> text=No model connected', { state: 'attached' })
})

test('it is tried on ten tasks once the owner agrees to what that takes, and told in words what it can do', async () => {
  const text = 'I could not find that in this Space.'
  const { url } = await startModelServer(profiles.find(({ name }) => name === 'vLLM')!, () => ({ text }))
  const connection = { wire: 'chat', base_url: url, model: 'modest', small_model: null, api_key: null }
  await site().owner.put('/api/model').send(connection).expect(200)
  const page = await site().open('/settings/model')

  await page.click('#test-model')
  await page.waitForSelector('.model-trial >> text=modest gets 10 tasks in an invented Space')
  await page.waitForSelector('.model-trial >> text=The price of this model is not known.')
  await page.click('.model-trial >> text=Start test')
  await page.waitForSelector('.model-trial >> text=modest did 1 of 10 tasks.', { timeout: 60_000 })

  await page.waitForSelector('.model-trial >> text=Says so when the Space does not have it.')
  await page.waitForSelector('.model-trial >> text=Often does not draft what was asked.')
  await page.click('.model-trial summary')
  await page.waitForSelector('.model-trial >> text=How big is the wheel across? Not done: a wrong answer')
  expect((await site().owner.get('/api/spaces')).body.items).toHaveLength(2)
  await site().owner.delete('/api/model').expect(200)
})
