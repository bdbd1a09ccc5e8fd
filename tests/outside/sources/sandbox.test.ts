// What a program of a source sees of the machine, where the system can keep things from it.

import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { SourceRow } from '../../../lib/db/repos/sources.ts'
import { createConnections } from '../../../lib/outside/sources/connections.ts'
import { canSandbox, inSandbox } from '../../../lib/outside/sources/sandbox.ts'
import { fakeSource } from './source-helpers.ts'

const dataFolder = await mkdtemp(join(tmpdir(), 'void-sandbox-'))
const key = join(dataFolder, 'secrets.key')
await writeFile(key, 'master')
afterAll(() => rm(dataFolder, { recursive: true }))

const row = { id: 'a-source', ...fakeSource(''), url: null, headers: {} } as unknown as SourceRow

async function look() {
  const connections = createConnections({
    secrets: { resolve: async () => null, current: () => null },
    dataFolder,
    version: '0',
  })
  try {
    const files = [key, homedir()]
    const { content } = await connections.use(row, ({ client }) =>
      client.callTool({ name: 'echo', arguments: { text: 'look', files } }),
    )
    return JSON.parse(Reflect.get(Object(content[0]), 'text'))
  } finally {
    await connections.close()
  }
}

test.runIf(await canSandbox())(
  'it sees nothing of Void’s data but its own folder, and no other process',
  async () => {
    const { cwd, seen, processes } = await look()

    expect(cwd).toBe(join(dataFolder, 'sources', row.id))
    expect(seen).toEqual([homedir()])
    expect(processes.length).toBeLessThanOrEqual(2)
    expect(await readFile(join(cwd, 'note'), 'utf8')).toBe('kept')
    expect(existsSync(key)).toBe(true)
  },
)

test('the command is a list of arguments, whatever is in it', () => {
  const program = { command: '--bind', args: ['/', '$(id)', '--', '; id'] }

  const { command, args } = inSandbox(program, { folder: '/data/sources/a', hidden: '/data' })

  expect(command).toBe('bwrap')
  const end = args.indexOf('--')
  expect(args.slice(end + 1)).toEqual(['--bind', '/', '$(id)', '--', '; id'])
  expect(args.slice(0, end).filter((arg) => arg === '/data')).toHaveLength(1)
})
