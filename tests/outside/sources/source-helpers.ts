// Sources for tests: the reference servers of the protocol, and one that misbehaves.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SourceTool } from '../../../lib/contract/sources.ts'
import type { TestApp } from '../../helpers/build-app.ts'

const resolve = createRequire(import.meta.url).resolve

/** One of `@modelcontextprotocol/server-…`, as a source. */
export function reference(name: string, args: readonly string[] = []) {
  const folder = dirname(resolve(`@modelcontextprotocol/${name}/package.json`))
  return {
    name,
    transport: 'stdio',
    command: process.execPath,
    args: [join(folder, 'dist/index.js'), ...args],
    unconfined: true,
  }
}

/** The fake server, told how to behave. */
export const fakeSource = (mode: string, env: Record<string, string> = {}) => ({
  name: 'Fake',
  transport: 'stdio',
  command: process.execPath,
  args: [fileURLToPath(new URL('./fake-source.js', import.meta.url))],
  env: { FAKE: mode, ...env },
  unconfined: true,
})

/** The owner tests a source, and agrees to what it proposes. */
export async function useProposed({ owner }: Pick<TestApp, 'owner'>, sourceId: string): Promise<void> {
  await owner.post(`/api/sources/${sourceId}/test`).expect(200)
  const { body } = await owner.get(`/api/sources/${sourceId}/tools`).expect(200)
  const tools = body.items.map(({ name, sha256 }: SourceTool) => ({ name, sha256 }))
  await owner.post(`/api/sources/${sourceId}/tools/use-proposed`).send({ tools }).expect(200)
}
