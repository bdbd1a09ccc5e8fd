// Starts that cannot succeed, as processes of an ordinary account.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import { childEnv, childFlags } from './child-env.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const token = randomBytes(24).toString('hex')
const maxMs = 60_000
/** Root may read and write what it likes: then the server runs as nobody. */
export const account: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

export type Ended = { code: number | null; out: string; error: string }

/** A folder for a test file, and what is started in it; both are gone with the file. */
export function createLauncher() {
  const folder = mkdtempSync(join(tmpdir(), 'void-refused-'))
  chmodSync(folder, 0o755)
  const running = new Set<ChildProcess>()

  afterAll(() => {
    for (const child of running) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  return { folder, launch, ownFolder }

  /** A program of Void in `cwd`, as an ordinary account. */
  function launch(
    env: Record<string, string>,
    { cwd = folder, program = 'server.js', args = [] as string[] } = {},
  ) {
    const child = spawn(process.execPath, [...childFlags, join(project, program), ...args], {
      cwd,
      env: { ...childEnv, PORT: '0', LOG_LEVEL: 'warn', OWNER_TOKEN: token, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...account,
    })
    running.add(child)
    let out = ''
    let error = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (error += chunk))
    // One that started after all fails its test, not the whole file.
    const late = setTimeout(() => child.kill('SIGKILL'), maxMs)
    const ended: Promise<Ended> = once(child, 'close').then(([code]) => {
      clearTimeout(late)
      running.delete(child)
      return { code, out, error }
    })
    return { child, ended, printed: () => out + error }
  }

  /** A new folder that the server's account owns. */
  function ownFolder(): string {
    const path = mkdtempSync(join(folder, 'data-'))
    own(path)
    return path
  }
}

function own(path: string): void {
  const { uid, gid } = account
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

/** Gives a folder and what is in it to the server's account. */
export function ownAll(path: string): void {
  own(path)
  for (const entry of readdirSync(path, { recursive: true })) own(join(path, String(entry)))
}

/** One paragraph for a person: what failed, with this in it, and no code of the program. */
export function expectSentence({ code, out, error }: Ended, ...parts: (string | RegExp)[]): void {
  for (const part of parts) expect(error).toMatch(part)
  expect(error).toMatch(/^Void cannot start\. [^\n]+\n$/)
  expect(error).not.toMatch(/Error:|\n +at |\.ts:\d|node:|undefined|NaN|\[object/)
  expect(out).toBe('')
  expect(code).toBe(1)
}
