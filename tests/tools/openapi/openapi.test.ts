// The OpenAPI document as the tools read it that people have: Redocly, Spectral, openapi-typescript and a typed client that
// does the main job.

import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import redocly from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import type { OpenAPI3 } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { startVoidProcess, type VoidProcess } from '../../helpers/void-process.ts'

const run = promisify(execFile)
const token = 'owner_of-the-openapi-test-0123456789'
const folder = mkdtempSync(join(tmpdir(), 'void-openapi-'))
let server: VoidProcess
let text: string

beforeAll(async () => {
  server = await startVoidProcess({ DATA_DIR: makeDataFolder(join(folder, 'data')), OWNER_TOKEN: token })
  text = await (await fetch(`${server.url}/api/openapi.json`)).text()
})

afterAll(async () => {
  server.terminate()
  await server.gone
  rmSync(folder, { recursive: true, force: true })
})

test('Redocly finds no error', async () => {
  const config = await redocly.createConfig({ extends: ['recommended'] })
  const problems = await redocly.lintFromString({ source: text, absoluteRef: 'openapi.json', config })

  const errors = problems.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  // Every operation names what it may refuse.
  expect(problems.filter(({ ruleId }) => ruleId === 'operation-4xx-response')).toEqual([])
})

test('Spectral finds no error', async () => {
  const linter = new spectral.Spectral()
  // Its own types differ between its packages.
  linter.setRuleset({ extends: [oas as never] })
  const found = await linter.run(text)

  const errors = found.filter(({ severity }) => severity === 0)
  expect(errors.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`)).toEqual([])
})

test('a typed client is generated, passes strict types, and does the main job', async () => {
  // It prints with parts of TypeScript that version 7 has no more, and a second TypeScript would take the place of `tsc`.
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'typescript' ? '@ts-morph/common/dist/typescript.js' : specifier, context),
  })
  const { astToString, default: openapiTS } = await import('openapi-typescript').finally(() =>
    hooks.deregister(),
  )
  const types = astToString(await openapiTS(JSON.parse(text) as OpenAPI3))
  writeFileSync(join(folder, 'api.ts'), types)
  copyFileSync('tests/tools/openapi/main-job.ts.txt', join(folder, 'main-job.ts'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const options = { extends: resolve('tsconfig.json'), include: ['main-job.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
  const checked = await run('node_modules/.bin/tsc', ['-p', folder]).catch(({ stdout }) => ({ stdout }))

  expect(checked.stdout).toBe('')
  const { stdout } = await run(process.execPath, ['main-job.ts'], {
    cwd: folder,
    env: { ...process.env, VOID_URL: server.url, VOID_TOKEN: token },
  })
  expect(JSON.parse(stdout)).toEqual({
    page: 'The lamp',
    proposed: 'pending',
    decided: 'approved',
    tasks: [{ title: 'Trim the wick', status: 'open' }],
    missing: 'not_found',
  })
})
