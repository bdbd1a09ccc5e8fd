// The whole attack on OAuth, which takes seconds.

import { expect, test } from 'vitest'
import { makeCrashDatabase } from '../crash/crash-database.ts'
import { attackSurface } from './surface.ts'
import { surface } from './surfaces/oauth.ts'

test('no spelling, race or false claim gets a program more than the owner allowed', async () => {
  const { url, drop } = await makeCrashDatabase()

  const { falls, tried } = await attackSurface(surface, url).finally(drop)

  expect(falls).toEqual([])
  expect(tried).toBeGreaterThan(2000)
}, 120_000)
