// Large bodies that come at once: how many of them are in memory, and what others do meanwhile.

import { gzipSync } from 'node:zlib'
import express from 'express'
import { expect, test } from 'vitest'
import { createBodyReader } from '../../lib/api/read-json.ts'
import type { Route } from '../../lib/api/route.ts'
import { listen } from '../helpers/listen.ts'

const route: Route = {
  method: 'post',
  path: '/',
  access: 'owner',
  summary: 'Wait',
  bodyLimit: '64mb',
  answers: {},
  handle: async () => undefined,
}

/** A server whose handler waits; `reached` counts the bodies that it was given. */
async function startHeld() {
  const gate = Promise.withResolvers<void>()
  const state = { reached: 0 }
  const app = express()
  app.post('/', createBodyReader()(route), async (_req, res) => {
    state.reached += 1
    await gate.promise
    res.json({})
  })
  const url = await listen(app)
  const send = async (body: Buffer | string, headers: Record<string, string> = {}) =>
    (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }))
      .status
  return { gate, state, send }
}

test('of bodies of 50 MB two are in memory at once, others pass, and the rest follow', async () => {
  const { gate, state, send } = await startHeld()
  const large = JSON.stringify({ text: 'x'.repeat(50_000_000) })

  const sending = Promise.all(Array.from({ length: 4 }, () => send(large)))
  await expect.poll(() => state.reached, { timeout: 20_000 }).toBe(2)
  const small = send('{}')
  await expect.poll(() => state.reached).toBe(3)
  gate.resolve()

  expect([...(await sending), await small]).toEqual([200, 200, 200, 200, 200])
})

test('a packed body takes no more room than it has, however large it might have been', async () => {
  const { gate, state, send } = await startHeld()
  const packed = gzipSync('{}')

  const sending = Promise.all(Array.from({ length: 8 }, () => send(packed, { 'content-encoding': 'gzip' })))
  await expect.poll(() => state.reached, { timeout: 5000 }).toBe(8)
  gate.resolve()

  expect(await sending).toEqual(Array(8).fill(200))
})
