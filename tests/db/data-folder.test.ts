import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { claimDataFolder } from '../../lib/db/data-folder.ts'

const module = new URL('../../lib/db/data-folder.ts', import.meta.url).href
const children: ChildProcess[] = []
const folders: string[] = []

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'void-lock-'))
  folders.push(folder)
  return folder
}

/** Another process that claims the folder and holds it. */
async function holdElsewhere(folder: string): Promise<ChildProcess> {
  const script = `
    const { claimDataFolder } = await import(${JSON.stringify(module)})
    claimDataFolder(${JSON.stringify(folder)})
    // What only the claim holds on to is gone from here on.
    await new Promise((resolve) => setTimeout(resolve))
    gc()
    await new Promise((resolve) => setTimeout(resolve))
    gc()
    process.stdout.write('claimed')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout!, 'data')
  return child
}

test('a folder that another process has is refused, with what to do', async () => {
  const folder = await newFolder()
  await holdElsewhere(folder)

  expect(() => claimDataFolder(folder)).toThrow(/already running on the data folder .* DATA_DIR/)
})

test('a folder whose process was killed with -9 a moment ago is free', async () => {
  const folder = await newFolder()
  const child = await holdElsewhere(folder)
  child.kill('SIGKILL')
  await once(child, 'exit')

  const claimed = claimDataFolder(folder)

  expect(claimed.path).toBe(folder)
  claimed.release()
})

test('a released folder can be claimed again, in the same process too', async () => {
  const folder = await newFolder()
  const first = claimDataFolder(folder)
  expect(() => claimDataFolder(folder)).toThrow(/already running/)
  first.release()

  claimDataFolder(folder).release()
})

test('a lock that is no file is named, with what to do', async () => {
  const folder = await newFolder()
  await mkdir(join(folder, 'lock'))

  expect(() => claimDataFolder(folder)).toThrow(
    /^The lock \S+\/lock cannot be used: .*EISDIR.* If no Void runs on this folder, remove it\.$/,
  )
})

test('a new folder belongs to its owner alone', async () => {
  const folder = join(await newFolder(), 'data')

  claimDataFolder(folder).release()

  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect((await stat(join(folder, 'lock'))).mode & 0o777).toBe(0o600)
})

test('a folder that others could read is closed to them, with all that it holds', async () => {
  const folder = await newFolder()
  await mkdir(join(folder, 'store'))
  await writeFile(join(folder, 'store', 'page'), 'x')
  for (const path of [folder, join(folder, 'store')]) await chmod(path, 0o755)
  await chmod(join(folder, 'store', 'page'), 0o664)
  await symlink('/etc/hostname', join(folder, 'elsewhere'))

  const claimed = claimDataFolder(folder)
  claimed.release()
  await writeFile(join(folder, 'later'), 'x')

  expect(claimed.corrected).toBe(true)
  const modes = async (...names: string[]) =>
    await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode & 0o777))
  expect(await modes('.', 'store', 'store/page', 'later')).toEqual([0o700, 0o700, 0o600, 0o600])
  expect((await stat('/etc/hostname')).mode & 0o044).toBe(0o044)
  const again = claimDataFolder(folder)
  again.release()
  expect(again.corrected).toBe(false)
})

test('files of an embedded store that a closed folder kept open are closed', async () => {
  const folder = await newFolder()
  await mkdir(join(folder, 'store'))
  for (const name of ['PG_VERSION', 'page']) await writeFile(join(folder, 'store', name), '17')
  for (const name of ['PG_VERSION', 'page']) await chmod(join(folder, 'store', name), 0o666)

  const claimed = claimDataFolder(folder)
  claimed.release()

  expect(claimed.corrected).toBe(true)
  expect((await stat(join(folder, 'store', 'page'))).mode & 0o777).toBe(0o600)
})

test.runIf(process.getuid?.() === 0)('a folder of another account is refused, with what to do', async () => {
  const folder = await newFolder()
  await chown(folder, 12_345, 12_345)

  expect(() => claimDataFolder(folder)).toThrow(/belongs to another account .*chown/)
})
