import { beforeAll, expect, test } from 'vitest'
import { ownerToken } from '../helpers/build-app.ts'
import { makeWorld, type World } from '../helpers/world.ts'
import { useSite } from './support/site.ts'

// The offline companion drafts what a script asks for; the browser shows it.
const site = useSite()
let world: World

beforeAll(async () => {
  world = await makeWorld(site())
})

const askElsewhere = async (text: string): Promise<string> => {
  const { body } = await site()
    .owner.post(`/api/spaces/${world.space.id}/companion/turn`)
    .set('authorization', `Bearer ${ownerToken}`)
    .set('accept', 'application/json')
    .send({ text })
  return body.draft_ids[0]
}

test('a visit offers it once; a page that is in view follows it at once', async () => {
  const missed = await askElsewhere('Create a task to oil the lamp')

  const page = await site().open('/s/skerry-light?companion=1')
  await page.click('.toast button:text("Open")')
  await page.waitForURL(`**/inbox/${missed}`)
  const followed = await askElsewhere('Create a task to trim the wick')
  await page.waitForURL(`**/inbox/${followed}`)

  const { body } = await site().owner.get('/api/openings')
  expect(body.items).toEqual([])
})
