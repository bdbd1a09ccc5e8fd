import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What starts servers and kills them, fills disks, waits out real time limits, or tries hundreds of hostile or labelled
 * texts, the longest first. `npm test` leaves it out, `npm run test:slow` runs it alone, `npm run test:all` with the rest.
 */
export const slowTests = [
  'core/text/linear-time',
  'companion/research/crash',
  'tools/crash/background-work',
  'tools/crash/two-of-three-servers',
  'tools/crash/crash',
  'outside/mail/faults',
  'public/linear-time',
  'server/start',
  'server/start-errors',
  'server/start-on-postgres',
  'companion/frozen-database',
  'companion/glance/labelled',
  'tools/attack/attack',
  'tools/attack/hostile-servers',
  'tools/attack/bodies',
  'tools/attack/oauth',
  'docs/run-commands',
  'tools/openapi/openapi',
  'server/disk-full',
  'server/deploy/backup',
  'server/deploy/proxies',
  'outside/sources/call-crash',
  'server/signals',
  'companion/glance/new-mail',
  'server/printed',
  'server/deploy/image',
  'server/deploy/push',
  'server/npm',
  'server/memory',
  'server/cli/help',
  'changes/card/hostile-cards',
  'api/large-texts',
  'outside/mcp/conformance',
  'tools/eval/own-notes',
  'tools/eval/agent/main',
  'server/deploy/restore',
  'server/deploy/backup-postgres',
  'server/deploy/compose',
  'server/deploy/scale',
  'outside/mcp/restart',
  'auth/secrets/restart',
  'server/cli/verify-audit',
  'server/cli/export',
  'server/cli/import',
  'server/cli/server-target',
  'changes/grounding/grounding',
  'content/links/rename-stalls',
  'api/dirty-text',
  'tools/fuzz/fuzz',
  'tools/fuzz/fuzz-content',
  'tools/attack/spy',
  'db/rolling-upgrade',
  'companion/research/break-out',
  'changes/races',
  'companion/database-away',
  'ops/maintenance/nightly-backup',
  'docs/curl-guide',
  'server/drain',
  'files/import/servers',
].map(pathOf)

/** Property tests, of which `npm test` tries a tenth of the cases. */
export const propertyTests = globSync('tests/**/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes("helpers/runs.ts'"),
)

/** In the order that keeps no worker alone in the end. */
export const longest = [
  ...[
    'files/folder/two-weeks',
    'files/folder/situations/others',
    'public/linear-time',
    'files/export/round-trip',
    'files/folder/situations/outages',
    'docs/run-commands',
    'tools/attack/oauth',
    'tools/attack/bodies',
    'server/start-errors',
    'server/disk-full',
    'files/folder/situations/names',
  ].map(pathOf),
  ...slowTests,
]

/** Begins with these files, so that no worker is alone with one in the end; a first run has no times to go by. */
export const longestFirst = (longest: readonly string[]) =>
  class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ moduleId }: TestSpecification) => {
        const at = longest.indexOf(relative('.', moduleId))
        return at < 0 ? longest.length : at
      }
      return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
    }
  }

function pathOf(name: string): string {
  return `tests/${name}.test.ts`
}
