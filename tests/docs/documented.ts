// The commands of README.md, docs/deploy.md and docs/scale.md: those that a test runs in the same words, and a table of the
// rest, which says what is only read or stood in for.

import { blockOf, commandBlocks } from '../helpers/documented-commands.ts'
import { commandsOf } from '../helpers/guide-commands.ts'

const guide = 'docs/deploy.md'
const scale = 'docs/scale.md'
export const documents = ['README.md', guide, scale]
const own = 'tests/docs/run-commands.test.ts'

/** Every other command: a part of it, how it is emulated and by which test. */
export const emulated: [part: string, how: string, by: string][] = [
  ['docker buildx', 'not run: it asks the registry of images', 'tests/server/deploy/files.test.ts'],
  [
    ' exec void node',
    'what runs in the container, in the image without Docker',
    'tests/server/deploy/image.test.ts',
  ],
  [
    ' exec -T ',
    'backup and restore of Compose, with a cluster as its Postgres',
    'tests/server/deploy/compose.test.ts',
  ],
  [
    'docker compose',
    'not run: what it reads is held to what Void takes',
    'tests/server/deploy/files.test.ts',
  ],
  ['docker build', 'its steps, without Docker', 'tests/server/deploy/image.test.ts'],
  ['docker ', 'start, backup and restore of the image, without Docker', 'tests/server/deploy/image.test.ts'],
  ['umask 077', 'with the lines of Compose', 'tests/server/deploy/compose.test.ts'],
  [
    'cp deploy/void.env.example deploy/.env',
    'the example names every setting',
    'tests/server/deploy/files.test.ts',
  ],
  [
    'TARGET=user@host deploy/push.sh',
    'as TARGET=local: in tests/docs/run-commands.test.ts, and',
    'tests/server/deploy/push.test.ts',
  ],
  [
    'claude mcp add',
    'not run: a client speaks to /mcp by the same header',
    'tests/outside/mcp/conformance.test.ts',
  ],
  ['npm run import', 'the command that it runs', 'tests/server/cli/import.test.ts'],
  ['npm test', 'this very run', own],
  ['npm run check', 'a stage of .ci/run', '.ci/run'],
  ['npm run dev', 'the program that it watches', 'tests/server/start.test.ts'],
  ['npm run e2e', 'a stage of .ci/run', '.ci/run'],
  ['npm run bench', 'its help', 'tests/server/cli/help.test.ts'],
  ['npm run test:pooled', 'not run: a run of its own, of the same tests', 'tests/tools/pooled.ts'],
  ['npm run audit:verify', 'the command that it runs', 'tests/server/cli/verify-audit.test.ts'],
  ['npm run fuzz', 'the fuzzer itself', 'tests/tools/fuzz/fuzz.test.ts'],
  ['npm install', 'what it brings; a stand-in in the upgrade of a clone', 'tests/server/packages.test.ts'],
  ['npm start', 'by npm itself; a stand-in in the upgrade of a clone', 'tests/server/npm.test.ts'],
]

export const setUp = blockOf(
  guide,
  'useradd --system --home-dir /var/lib/void --shell /usr/sbin/nologin void',
)
export const signIn = commandBlocks(guide)
  .flat()
  .filter((line) => /^runuser .*sign-in\.ts$/.test(line))
export const backUp = blockOf(guide, 'systemctl stop void')
export const metrics = commandBlocks(guide)
  .flat()
  .filter((line) => line.startsWith('openssl rand'))
export const ask = blockOf('README.md', 'OWNER_TOKEN=$(cat data/owner-token)')
export const upgrade = blockOf(guide, 'deploy/backup.sh before-upgrade')
export const goBack = blockOf(guide, 'git checkout ORIG_HEAD')
export const restore = blockOf(guide, 'deploy/restore.sh before-upgrade.tar.gz')
/** What tests/server/deploy/restore.test.ts runs. */
const pointInTime = ['base-backup', 'point-in-time'].flatMap((name) =>
  commandsOf(scale, name)
    .split('\n')
    .map((line) => line.trim()),
)
/** Without npm's, which are stand-ins there. */
export const ran = [setUp, signIn, backUp, metrics, ask, upgrade, goBack, restore, pointInTime]
  .flat()
  .filter((line) => !line.startsWith('npm '))
