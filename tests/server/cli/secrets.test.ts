import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { runScript } from '../../helpers/run-script.ts'

const { app, owner, deps } = await buildApp()
const url = await listen(app)
const folder = await mkdtemp(join(tmpdir(), 'void-secrets-cli-'))
await writeFile(join(folder, 'server.json'), JSON.stringify({ url, pid: process.pid }))
afterAll(() => rm(folder, { recursive: true }))

const secrets = (args: string[], input = '') =>
  runScript('lib/server/cli/secrets.ts', args, { env: { DATA_DIR: folder, OWNER_TOKEN: ownerToken }, input })

test('secrets are listed, rotated, and moved with a passphrase from standard input', async () => {
  await owner.put('/api/secrets/model-key').send({ value: 'sk-1' })
  const file = join(folder, 'out.json')

  const listed = await secrets(['list'])
  const rotated = await secrets(['rotate'])
  const exported = await secrets(['export', file], 'correct horse battery\n')
  await owner.delete('/api/secrets/model-key')
  const imported = await secrets(['import', file], 'correct horse battery\n')

  expect(listed.out).toBe('Secrets: 1\nmodel-key, last used: never\n')
  expect(rotated.out).toBe('Re-encrypted secrets: 1.\n')
  expect(exported.out).toBe(`Wrote the secrets to ${file}.\n`)
  expect(await readFile(file, 'utf8')).not.toContain('sk-1')
  expect(imported.out).toBe('Secrets stored: 1.\n')
  expect(await deps.secrets.resolve('secret:model-key')).toBe('sk-1')
})

test('a wrong command, a file that is there, and one that is no export do nothing', async () => {
  const file = join(folder, 'notes.txt')
  await writeFile(file, 'my notes')

  const wrong = await secrets(['erase'])
  const taken = await secrets(['export', file], 'correct horse battery\n')
  const rubbish = await secrets(['import', file], 'correct horse battery\n')

  expect([wrong.code, taken.code, rubbish.code]).toEqual([2, 1, 1])
  expect(await readFile(file, 'utf8')).toBe('my notes')
  expect(rubbish.error).toContain('is not a secrets export')
})
