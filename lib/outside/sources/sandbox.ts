// What a program of a source sees of this machine. Where Linux's bubblewrap is installed and may make namespaces, it
// runs in some of its own: Void's data is an empty folder to it, it sees no other process (whose variables hold keys),
// gains no rights by what it starts, and ends with Void. Files elsewhere and the network stay: they are what it is for.

import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { pickEnv } from '../../auth/secrets/resolve-secret.ts'

export type Program = { command: string; args: readonly string[] }

/** Where the programs of sources have their folders. */
export const sourcesFolder = (dataFolder: string = tmpdir()): string => join(dataFolder, 'sources')

const bubblewrap = 'bwrap'
const namespaces = ['--dev-bind', '/', '/', '--unshare-pid', '--unshare-ipc', '--proc', '/proc']
const ends = ['--die-with-parent', '--new-session']
const probeMs = 5000

/** Whether programs can be run so here; asked of the system once. */
export const canSandbox = (): Promise<boolean> => (probed ??= probe())
let probed: Promise<boolean> | undefined

async function probe(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const options = { timeout: probeMs, env: pickEnv(/^PATH$/) }
  return await promisify(execFile)(bubblewrap, [...namespaces, ...ends, '--', 'true'], options).then(
    () => true,
    () => false,
  )
}

/** The program, run in the sandbox: `hidden` is empty to it, but for its own `folder`. */
export const inSandbox = (
  { command, args }: Program,
  { folder, hidden }: { folder: string; hidden: string },
): Program => ({
  command: bubblewrap,
  args: [
    ...namespaces,
    ...ends,
    ...['--tmpfs', hidden, '--dir', dirname(folder), '--bind', folder, folder, '--chdir', folder],
    '--',
    command,
    ...args,
  ],
})
