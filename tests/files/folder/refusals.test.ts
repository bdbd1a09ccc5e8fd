// Who may connect, see or leave a folder: the owner alone.

import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { folderRoutes } from '../../../lib/api/routes/folders.ts'
import { makeAgent } from '../../helpers/world.ts'
import { makeRealFolder } from './real-folder.ts'

test('an agent’s token is refused at every route of folders, and nothing changes', async () => {
  const one = await makeRealFolder({ running: false })
  const { owner, at, path, space } = one
  await owner.put(`${at}/folder`).send({ path }).expect(200)
  const before = (await owner.get(`${at}/folder`).expect(200)).body
  const { token } = await makeAgent(one, { slug: 'clerk', spaces: [space.id] })
  const agent = one.as(token)

  const answers = []
  for (const { method, path: route } of folderRoutes) {
    const url = route.replace(':space_id', space.id)
    for (const body of [{}, { path }, { path, own: true, take_over: true }, { path, dry_run: true }]) {
      const { status } = await agent[method](url).send(body)
      answers.push(`${method} ${route} ${status}`)
    }
  }

  expect(folderRoutes.length).toBeGreaterThanOrEqual(6)
  expect(answers.filter((answer) => !answer.endsWith(' 403'))).toEqual([])
  expect((await owner.get(`${at}/folder`).expect(200)).body).toEqual(before)
  expect(readdirSync(path)).toEqual([])
})

test('so is somebody without a token', async () => {
  const one = await makeRealFolder({ running: false })

  const statuses = []
  for (const { method, path } of folderRoutes) {
    const { status } = await one.as('wrong')[method](path.replace(':space_id', one.space.id)).send({})
    statuses.push(status)
  }

  expect(new Set(statuses)).toEqual(new Set([401]))
})
