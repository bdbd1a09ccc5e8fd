// A machine to push to: a temporary folder with a repository of tiny releases, and a service manager of four lines.
// The scripts are the real ones; the server, the migration and the packages are stand-ins, so that a push takes a
// second.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { childEnv } from '../../helpers/child-env.ts'

export type FakeTarget = Awaited<ReturnType<typeof createFakeTarget>>

const server = `
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
const { version, status } = JSON.parse(readFileSync('package.json', 'utf8'))
const says = [status].flat()
createServer((_req, res) => {
  res.end(JSON.stringify({ status: says.length > 1 ? says.shift() : says[0], version }))
}).listen(process.env.PORT, '127.0.0.1')
`

const migrateCli = `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
if (existsSync('broken-migration')) throw new Error('this migration cannot run')
mkdirSync(process.env.DATA_DIR + '/store', { recursive: true })
writeFileSync(process.env.DATA_DIR + '/store/PG_VERSION', '18')
`

// As with systemd's Type=notify, a restart is over when the server answers, or has ended. One that has ended may still be
// there for some seconds, until whoever adopted it asks how; and its port is taken until the last of its threads has
// ended, which is later than the first.
const service = `
answers() { (: </dev/tcp/127.0.0.1/"$PORT") 2>/dev/null; }
runs() { [[ "$(ps -o stat= -p "$(cat pid)")" == [^Z]* ]]; }
[ ! -f pid ] || { kill "$(cat pid)"; while runs || answers; do sleep 0.02; done; rm pid; }
[ "$1" != stop ] || exit 0
(cd root/current && exec "$NODE" server.js) >>log 2>&1 & echo $! >pid
until answers || ! runs; do sleep 0.02; done
`

export async function createFakeTarget() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'void-push-')))
  const repo = join(folder, 'repo')
  const root = join(folder, 'root')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/health`
  const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8' })

  cpSync('deploy', join(repo, 'deploy'), { recursive: true })
  write('server.js', server)
  write('lib/server/cli/migrate.ts', migrateCli)
  for (const file of [
    'core/errors.ts',
    'core/make-folder.ts',
    'core/schedule/calendar.ts',
    'core/schedule/instants.ts',
    'core/schedule/zoned.ts',
    'core/system-error.ts',
    'db/data-folder.ts',
    'ops/maintenance/nightly-backup.ts',
  ])
    write(`lib/${file}`, readFileSync(`lib/${file}`, 'utf8'))
  write('lib/db/migrations/001_first.sql', 'select 1')
  writeFileSync(join(folder, 'service.sh'), service)
  writeFileSync(join(folder, 'void.env'), '')
  git('init', '--quiet')

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(repo, path)), { recursive: true })
    writeFileSync(join(repo, path), text)
  }

  return {
    root,
    /** Commits a release; `status` is what its /health will say, or will say one after the other. */
    commit(
      version: string,
      { status = 'ok', files = {} }: { status?: string | string[]; files?: Record<string, string> } = {},
    ) {
      write('package.json', JSON.stringify({ version, status, type: 'module' }))
      for (const [path, text] of Object.entries(files)) write(path, text)
      git('add', '--all')
      git(
        '-c',
        'user.name=Ada',
        '-c',
        'user.email=ada@example.org',
        'commit',
        '--quiet',
        '--message',
        version,
      )
    },
    push(settings: Record<string, string> = {}) {
      const run = spawnSync('deploy/push.sh', {
        cwd: repo,
        encoding: 'utf8',
        env: {
          ...childEnv,
          TARGET: 'local:',
          ROOT: root,
          DATA_DIR: join(folder, 'data'),
          ENV_FILE: join(folder, 'void.env'),
          RUN_AS: execFileSync('id', ['-un'], { encoding: 'utf8' }).trim(),
          NODE: process.execPath,
          PORT: String(port),
          HEALTH_URL: url,
          HEALTH_SECONDS: '30',
          INSTALL: 'touch installed',
          STOP: `cd ${folder} && bash service.sh stop`,
          RESTART: `cd ${folder} && bash service.sh restart`,
          ...settings,
        },
      })
      return { code: run.status, said: run.stdout + run.stderr }
    },
    /** What answers just now; `null` when nothing does. */
    async version(): Promise<string | null> {
      const answer = await fetch(url).catch(() => null)
      return answer ? ((await answer.json()) as { version: string }).version : null
    },
    remove() {
      spawnSync('bash', ['service.sh', 'stop'], { cwd: folder })
      if (existsSync(folder)) rmSync(folder, { recursive: true })
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('the probe has no port')
  return address.port
}
