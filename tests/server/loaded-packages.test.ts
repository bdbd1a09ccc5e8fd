import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { childEnv } from '../helpers/child-env.ts'

const run = promisify(execFile)

const script = `
  import { registerHooks } from 'node:module'
  const loaded = new Set()
  registerHooks({
    load(url, context, next) {
      const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\/(?!.*node_modules)/.exec(url)?.[1]
      if (name) loaded.add(name)
      return next(url, context)
    },
  })
  await import(process.argv[1])
  console.log(JSON.stringify([...loaded]))
`

/** What a start would pay for, though many servers never use it. */
const withFirstUse = [
  '@anthropic-ai/sdk',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  '@opentelemetry/sdk-trace',
  'chrono-node',
  'csv-parse',
  'imapflow',
  'mailparser',
  'mammoth',
  'unpdf',
]

test('what a model, mail, imports or outside agents need is not loaded until it is used', async () => {
  const { dependencies } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(withFirstUse))

  const server = new URL('../../lib/server/serve.ts', import.meta.url).href
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, server], {
    env: childEnv,
  })

  const loaded: string[] = JSON.parse(stdout)
  expect(loaded).toContain('express')
  expect(loaded.filter((name) => withFirstUse.includes(name))).toEqual([])
})
