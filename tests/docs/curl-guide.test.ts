// The walk-through in the guide, run as it is printed, against a server started as a person would start it.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { childEnv } from '../helpers/child-env.ts'
import { makeDataFolder } from '../helpers/data-folder.ts'

const root = new URL('../../', import.meta.url)
const folder = await mkdtemp(join(tmpdir(), 'void-curl-'))
makeDataFolder(join(folder, 'data'))
let server: ChildProcess | undefined

afterAll(async () => {
  server?.kill('SIGTERM')
  if (server && server.exitCode === null) await once(server, 'exit')
  await rm(folder, { recursive: true })
})

async function start(): Promise<string> {
  server = spawn(process.execPath, [new URL('server.js', root).pathname], {
    cwd: folder,
    env: { ...childEnv, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  for await (const chunk of server.stdout!) {
    printed += chunk
    const url = /listening on (\S+)/.exec(printed)?.[1]
    if (url) return url
  }
  throw new Error(`the server ended: ${printed}`)
}

test('the walk-through works as printed, from the first question to the approved task', async () => {
  const guide = await readFile(new URL('docs/guide/Using%20curl.md', root), 'utf8')
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1])
  const url = await start()
  const script = blocks.join('\necho; echo ----\n').replace('http://127.0.0.1:3000', url)

  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], {
    cwd: folder,
    maxBuffer: 10_000_000,
  })
  const printed = stdout.split('----\n').map((part) => part.trim())
  const [, health, , answer, wish, , card, approved, tasks, conversation] = printed

  expect(JSON.parse(health!)).toMatchObject({ status: 'ok', database: { engine: 'pglite' } })
  expect(answer).toMatch(/event: citation[\s\S]*"checked":true[\s\S]*event: done/)
  expect(wish).toMatch(/event: draft[\s\S]*event: done/)
  expect(JSON.parse(card!).card.summary).toMatch(/^Create task ‘Water the plants’/)
  expect(JSON.parse(approved!)).toMatchObject({ status: 'approved' })
  expect(JSON.parse(tasks!).items).toMatchObject([{ title: 'Water the plants', status: 'open' }])
  expect(JSON.parse(conversation!).messages).toHaveLength(2)
}, 60_000)
