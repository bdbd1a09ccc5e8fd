// A small run of the fuzzer on the real server, always of the same requests, and that it sees what it looks for.
// `npm run fuzz` does more.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { declaredRoutes } from '../../helpers/declared-routes.ts'
import { makeCrashDatabase } from '../crash/crash-database.ts'
import { fuzz } from './fuzz.ts'
import { walledWords } from './fuzz-world.ts'
import { createJudge } from './judge-answer.ts'
import type { FuzzRequest } from './make-request.ts'

const routes = declaredRoutes()

test('hostile requests by every caller bring no error, no undeclared answer, no stall and no exit', async () => {
  const { url, drop } = await makeCrashDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'void-fuzz-'))

  const report = await fuzz({
    requests: 400,
    seed: 20_260_101,
    routes,
    databaseUrl: url,
    folder: makeDataFolder(folder),
  }).finally(drop)
  await rm(folder, { recursive: true, force: true })

  expect(report.texts).toEqual([])
  expect(report.sent).toBe(400)
  expect(report.succeeded.size).toBeGreaterThan(30)
}, 240_000)

test.each([
  ['an error of the server', 500, '{"error":{"code":"internal","message":"","request_id":"x"}}', ['error']],
  [
    'a host that does not answer',
    502,
    '{"error":{"code":"source_failed","message":"","request_id":"x"}}',
    [],
  ],
  ['an overload', 503, '{"error":{"code":"too_busy","message":"","request_id":"x"}}', []],
  ['a status that is not declared', 204, '', ['mismatch']],
  ['a key that is not declared', 200, '{"items":[],"next_cursor":null,"more":1}', ['mismatch']],
  ['an error of another shape', 400, '{"oops":true}', ['mismatch']],
  ['what a walled Space holds', 404, errorOf(walledWords), ['leak']],
  ['an answer as declared', 200, '{"items":[],"next_cursor":null}', []],
])('the judge of answers sees %s', (_, status, body, sorts) => {
  const judge = createJudge(routes)
  const type = body === '' ? '' : 'application/json'

  const found = judge(listing, { status, type, requestId: 'x', body: Buffer.from(body), isWhole: true })

  expect(found.map(({ sort }) => sort)).toEqual(sorts)
})

test('the judge takes an answer without a body for what its status says, where it may have none', () => {
  const judge = createJudge(routes)
  const answer = { type: 'application/json', requestId: 'x', body: Buffer.alloc(0), isWhole: false }
  const sortsOf = (request: FuzzRequest, status: number) => judge(request, { ...answer, status }).length

  for (const request of [
    { ...listing, method: 'HEAD' },
    { ...listing, raw: Buffer.from('GET') },
  ])
    expect([502, 500].map((status) => sortsOf(request, status))).toEqual([0, 1])
})

const listing: FuzzRequest = {
  caller: 'read',
  operation: 'GET /api/spaces',
  method: 'GET',
  target: '/api/spaces?limit=1',
  headers: [],
  body: null,
  raw: null,
}

function errorOf(message: string): string {
  return JSON.stringify({ error: { code: 'not_found', message, request_id: 'x' } })
}
