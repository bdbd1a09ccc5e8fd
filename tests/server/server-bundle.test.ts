// What `npm install` makes so that a start loads a few files: the same server, and only of the sources that are there.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownerToken } from '../helpers/build-app.ts'
import { childEnv } from '../helpers/child-env.ts'
import { makeDataFolder } from '../helpers/data-folder.ts'
import { takeTurn } from '../helpers/turn-client.ts'
import { startVoidProcess } from '../helpers/void-process.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'void-bundle-'))
const program = join(folder, 'program')
const cache = join(program, 'node_modules/.cache/void-server')
const source = join(program, 'lib/serve.ts')

beforeAll(async () => {
  await mkdir(join(program, 'node_modules'), { recursive: true })
  for (const name of ['lib', 'public', 'docs', 'server.js', 'package.json'])
    await cp(join(repository, name), join(program, name), { recursive: true, preserveTimestamps: true })
  for (const name of await readdir(join(repository, 'node_modules')))
    if (name !== '.cache')
      await symlink(join(repository, 'node_modules', name), join(program, 'node_modules', name))
  await makeBundle()
  makeDataFolder(join(folder, 'data'))
})
afterAll(() => rm(folder, { recursive: true }))

const makeBundle = () =>
  promisify(execFile)(process.execPath, [join(program, 'lib/cli/bundle-server.ts')], { env: childEnv })

/** Starts the server of `program`, and tells what it printed besides. */
async function start() {
  const printed: string[] = []
  const server = await startVoidProcess(
    { DATA_DIR: join(folder, 'data'), OWNER_TOKEN: ownerToken },
    { serverScript: join(program, 'server.js'), onPrint: (text) => printed.push(text) },
  )
  const end = async () => {
    server.terminate()
    await server.gone
    return printed.join('')
  }
  return { ...server, end }
}

/** Says the same with as many characters. */
async function edit(): Promise<void> {
  const text = await readFile(source, 'utf8')
  expect(text).toContain('is listening on')
  await writeFile(source, text.replace('is listening on', 'now listens on '))
}

test('it is the server: it answers, paints and drafts what it loads with its first use', async () => {
  const { url, end } = await start()
  const api = async (path: string, body?: object) => {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  }

  const space = JSON.parse((await api('/api/spaces', { name: 'Lighthouse' })).text)
  const page = await api(`/api/spaces/${space.id}/pages`, {
    title: 'The lamp',
    body: 'It turns every *12* seconds.',
  })
  const asked = await takeTurn({ url, space_id: space.id, body: { text: 'How often does the lamp turn?' } })
  const drafted = await takeTurn({
    url,
    space_id: space.id,
    body: { text: 'Create a task to oil the lamp tomorrow' },
  })
  const shown = await api(`/s/${space.slug}/pages/${JSON.parse(page.text).id}`)
  const signIn = await api('/sign-in')
  await end()

  expect(JSON.stringify(asked)).toContain('12')
  expect(asked.at(-1)?.type).toBe('done')
  expect(drafted.map(({ type }) => type)).toContain('draft')
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('<em>12</em>')])
  expect([signIn.status, signIn.text]).toEqual([200, expect.stringContaining('<form')])
})

test('a source that was edited since is run, and bundled by the next installation', async () => {
  const before = await stat(source)
  await edit()

  // As if it had not been edited: this shows that it is the bundle that runs.
  await utimes(source, before.atime, before.mtime)
  expect(await (await start()).end()).toContain('is listening on')

  await utimes(source, before.atime, new Date(before.mtimeMs + 5000))
  expect(await (await start()).end()).toContain('now listens on')

  const bundles = await readdir(cache)
  await makeBundle()
  expect(await readdir(cache)).toHaveLength(1)
  expect(await readdir(cache)).not.toEqual(bundles)
})

test('sources that cannot be bundled are told of, and the installation goes on', async () => {
  await writeFile(source, 'this is not a program (')

  const { stderr } = await makeBundle()

  expect(stderr).toContain('could not be bundled')
  expect(existsSync(cache)).toBe(false)
})
