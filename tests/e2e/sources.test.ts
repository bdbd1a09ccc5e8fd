import { beforeAll, expect, test } from 'vitest'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { fakeSource } from '../sources/source-helpers.ts'
import { expectAccessible } from './support/axe.ts'
import { useSite } from './support/site.ts'

const words = 'The boat leaves at six in the morning.'
const call = { name: 'call_tool', input: { source: 'Fake', tool: 'echo', arguments: { text: words } } }
const site = useSite({ callModel: scriptedModel([{ tools: [call] }, { text: `They say “${words}”` }]) })
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

test('the answer of a source is opened from its citation and kept as a file', async () => {
  const at = `/api/spaces/${world.space.id}`
  const { body: source } = await site().owner.post(`${at}/sources`).send(fakeSource(''))
  await site().owner.post(`/api/sources/${source.id}/test`)
  await site().owner.post(`${at}/companion/turn`).send({ text: 'When does it leave?' })
  const page = await site().open(`/s/${world.space.slug}`)

  await page.click('.cite')
  await page.waitForSelector(`dialog >> text=${words}`)
  await expectAccessible(page)
  await page.click('#keep-result')
  await page.waitForSelector('dialog >> text=Kept as file')

  const { body } = await site().owner.get(`${at}/source-docs`)
  expect(body.items).toContainEqual(expect.objectContaining({ origin: 'mcp', text: `echo: ${words}` }))
  await site().deps.connections.close()
})
