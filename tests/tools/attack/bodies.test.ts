// A part of the attack with large bodies, and that its bodies are as large as they may be. `npm run attack` does more.

import { expect, test } from 'vitest'
import { maxBodyDepth } from '../../../lib/api/read-json.ts'
import { exceededBound } from '../../../lib/core/text/bounds.ts'
import { makeCrashDatabase } from '../crash/crash-database.ts'
import { largestBodies } from './largest-bodies.ts'
import { attackSurface } from './surface.ts'
import { bodiesTo } from './surfaces/bodies.ts'

test('the largest bodies of each route, by everybody, stop nothing and leave nothing behind', async () => {
  const { url, drop } = await makeCrashDatabase()

  const { falls, tried } = await attackSurface(bodiesTo({ everyNth: 10 }), url).finally(drop)

  expect(falls).toEqual([])
  expect(tried).toBeGreaterThan(600)
}, 240_000)

test('the largest bodies stay within the bounds of their route, and reach them', () => {
  const bounds = { bytes: 40_000, values: 1000 }
  const body = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, lists: { type: 'array', items: { type: 'string' } } },
  }
  const bodies = largestBodies({ method: 'post', path: '/x', access: 'owner', query: [], body, bounds })

  const made = bodies.map(({ shape, make }) => ({ shape, bytes: Buffer.from(make()) }))

  const deepest = (bytes: Buffer) => exceededBound(bytes, { values: 1000, depth: maxBodyDepth - 4 })
  const widest = (bytes: Buffer) => exceededBound(bytes, { values: 980, depth: maxBodyDepth })
  for (const { bytes } of made) {
    expect(() => JSON.parse(String(bytes))).not.toThrow()
    expect(bytes.length).toBeLessThanOrEqual(bounds.bytes)
    expect(exceededBound(bytes, { values: bounds.values, depth: maxBodyDepth })).toBeNull()
  }
  expect(made.filter(({ bytes }) => bytes.length > bounds.bytes - 100).length).toBeGreaterThan(5)
  expect(made.filter(({ bytes }) => widest(bytes) === 'values').length).toBeGreaterThan(5)
  expect(made.filter(({ bytes }) => deepest(bytes) === 'depth').map(({ shape }) => shape)).toEqual([
    'deep',
    'deep in name',
    'deep in lists',
  ])
})
