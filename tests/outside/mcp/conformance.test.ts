// The conformance suite of the protocol, run as its authors run it: against a fixture that offers what its scenarios call,
// through the endpoint, the route and the guards of Void; and, where a scenario needs no fixture, against Void itself.

import { fileURLToPath } from 'node:url'
import type { Express } from 'express'
import { describe, expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { runScript } from '../../helpers/run-script.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'
import { createFixture } from './conformance/fixture.ts'

const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'
const void_ = await buildApp()
await makeWorld(void_)
const fixture = await buildApp()
fixture.deps.server.mcp = createFixture()

/** Where an app is served whose every request is an agent's: the suite sends no token. */
async function listenAs(
  { app, owner }: typeof void_,
  slug: string,
  spaces: string[] | null,
): Promise<string> {
  const { token } = await makeAgent({ owner }, { slug, spaces })
  const signed = new Proxy(app, {
    apply(target, self, [req, ...rest]) {
      req.headers.authorization = `Bearer ${token}`
      return Reflect.apply(target as Express, self, [req, ...rest])
    },
  })
  return `${await listen(signed)}/mcp`
}

/** Runs the suite; the checks that failed of each scenario that it scored, or ran beside. */
async function run(url: string, args: readonly string[]) {
  const { code, out, error } = await runScript(suite, ['server', '--url', url, ...args])
  const scenarios = [...out.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)]
  const failed = scenarios.flatMap(([, name, , failures]) => (failures === '0' ? [] : [name]))
  const passed = scenarios.filter(([, , passes, failures]) => passes !== '0' && failures === '0').length
  return { code, passed, failed, out: `${out}\n${error}` }
}

describe('the fixture passes what a revision requires', () => {
  test.each([
    // Beside it: nothing of Void asks for headers of its own.
    { revision: '2026-07-28', required: 37, failed: ['http-custom-header-server-validation'] },
    // Beside it: a stream that its server breaks off, for the client to take up again. None of Void's can be.
    { revision: '2025-11-25', required: 30, failed: ['server-sse-polling'] },
  ])('$revision', async ({ revision, required, failed }) => {
    const url = await listenAs(fixture, `suite-${revision}`, null)

    const result = await run(url, ['--requirements', revision])

    expect(result.code, result.out).toBe(0)
    expect(result.failed).toEqual(failed)
    expect(result.passed).toBeGreaterThan(required)
  })
})

test.each([
  'server-stateless',
  'caching',
  'dns-rebinding-protection',
  'tools-list',
  'http-header-validation',
])('Void passes %s', async (scenario) => {
  const url = await listenAs(void_, scenario, null)

  const result = await run(url, [
    ...['--scenario', scenario, '--spec-version', '2026-07-28'],
    ...['--expected-failures', fileURLToPath(new URL('conformance/void.yaml', import.meta.url))],
  ])

  expect(result.code, result.out).toBe(0)
})
