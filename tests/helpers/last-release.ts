import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The commit that servers run while the next release is rolled out. */
const lastRelease = '6d6a84423c6424b55aab03ca44aaa106df4b9ca7'

export type Release = { serverScript: string; remove(): void }

const repository = fileURLToPath(new URL('../..', import.meta.url))

const git = (...args: string[]) => spawnSync('git', args, { cwd: repository, encoding: 'utf8' })

/** Whether the history of this clone reaches back to it; not in a shallow clone, nor in an archive of the sources. */
export const hasLastRelease = () => git('cat-file', '-e', `${lastRelease}^{commit}`).status === 0

/** The code of the last release in a folder of its own, with the packages of this one. */
export function checkOutLastRelease(): Release {
  const folder = mkdtempSync(join(tmpdir(), 'void-release-'))
  const code = join(folder, 'code')
  const archive = join(folder, 'code.tar')
  mkdirSync(code)
  const packed = git('archive', `--output=${archive}`, lastRelease)
  if (packed.status !== 0) throw new Error(`git archive failed: ${packed.stderr}`)
  const unpacked = spawnSync('tar', ['--extract', `--file=${archive}`, `--directory=${code}`])
  if (unpacked.status !== 0) throw new Error(`tar failed: ${unpacked.stderr}`)
  symlinkSync(resolve(repository, 'node_modules'), join(code, 'node_modules'))
  const serverScript = join(code, 'server.js')
  if (!existsSync(serverScript)) throw new Error(`${lastRelease} has no server.js`)
  return { serverScript, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
