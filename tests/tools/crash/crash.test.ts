// A few rounds of the crash test on the real server, each engine where there is one. `npm run crash-test` does more.

import { expect, test } from 'vitest'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { makeCrashDatabase } from './crash-database.ts'
import { crashLoop } from './crash-loop.ts'
import { killPoints } from './kill-points.ts'

/** Each point, and one at random. */
const kills = killPoints.length + 1

test('a server that is killed again and again loses, doubles and bricks nothing', async () => {
  const { url, drop } = await makeCrashDatabase()

  const report = await crashLoop({ kills, databaseUrl: url, prepareFolder: makeDataFolder }).finally(drop)

  expect(report).toMatchObject({
    kills,
    lost: 0,
    duplicated: 0,
    bricked: 0,
    draftsDuplicated: 0,
    stuck: 0,
    refusals: [],
  })
  expect(report.acknowledged).toBeGreaterThan(0)
  expect(Object.keys(report.byPoint)).toEqual(expect.arrayContaining(killPoints.map(({ name }) => name)))
}, 240_000)
