// Every command says how it is used, and does nothing else then.

import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { childEnv } from '../../helpers/child-env.ts'

const empty = mkdtempSync(join(tmpdir(), 'void-help-'))
afterAll(() => rmSync(empty, { recursive: true }))

const manifest: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))
/** Without what npm runs beside them. */
const scripts = Object.entries(manifest.scripts).filter(([name]) => !/^(pre|post)/.test(name))

/** The programs of Void that npm runs; the others are those of packages. */
const programs = scripts.flatMap(([name, command]) => {
  const file = /^node (\S+)$/.exec(command)?.[1]
  return file ? [{ name, file, says: new RegExp(`npm run (--silent )?${name}`) }] : []
})

/** Those that Void's own programs are called by, and the others that a person runs. */
const shell = readdirSync('deploy')
  .filter((file) => /\.(sh|js)$/.test(file) && !['settings.sh', 'bring-node.js'].includes(file))
  .map((file) => ({ name: file, file: `deploy/${file}`, says: file.split('.')[0]! }))

const ask = async (file: string, flag: string) => {
  const [program, args] = file.endsWith('.sh') ? ['bash', []] : [process.execPath, []]
  return await promisify(execFile)(program, [...args, resolve(file), flag], {
    cwd: empty,
    env: { ...childEnv, DATA_DIR: join(empty, 'data') },
  })
}

test('the commands are found', () => {
  expect(programs.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['sign-in', 'mcp', 'migrate', 'export', 'bench']),
  )
  // Of vitest, Node's own watch and the checks.
  const others = scripts.map(([name]) => name).filter((name) => !programs.some((one) => one.name === name))
  expect(others).toEqual(['start', 'dev', 'test', 'test:slow', 'test:all', 'e2e', 'check', 'format'])
})

// Of the shell that npm runs it by, the last command has to get the arguments.
test('npm start -- --help', async () => {
  const { stdout } = await promisify(execFile)('npm', ['start', '--silent', '--', '--help'], {
    env: { ...childEnv, HOME: tmpdir(), DATA_DIR: join(empty, 'data') },
  })

  expect(stdout).toMatch(/^Void, [\s\S]*npm start/)
  expect(stdout).toBe((await ask('server.js', '-h')).stdout)
})

test.each([...programs, ...shell])('$name --help', async ({ file, says }) => {
  const long = await ask(file, '--help')
  // The tools read both in one place.
  const short = file.startsWith('tests/') ? long : await ask(file, '-h')

  expect(long.stdout).toMatch(says)
  expect(long.stdout.length).toBeGreaterThan(60)
  expect(short.stdout).toBe(long.stdout)
  expect([long.stderr, short.stderr]).toEqual(['', ''])
  expect(readdirSync(empty)).toEqual([])
})

test.each([
  'migrate',
  'sign-in',
  'reindex',
  'passkeys',
  'secrets',
  'export',
  'import',
  'connect',
  'verify-audit',
])('%s explains wrong arguments with its usage', async (name) => {
  const run = promisify(execFile)(
    process.execPath,
    [resolve(`lib/server/cli/${name}.ts`), 'a', '--wrong', 'b'],
    { cwd: empty, env: { ...childEnv, DATA_DIR: join(empty, 'data') } },
  )

  await expect(run).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^[^\n]+\n\n[\s\S]*npm run/),
  })
  expect(readdirSync(empty)).toEqual([])
})
