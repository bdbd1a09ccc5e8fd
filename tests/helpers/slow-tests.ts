import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What starts servers and kills them, fills disks, waits out real time limits, or tries hundreds of hostile or labelled
 * texts, the longest first. `npm test` leaves it out, `npm run test:slow` runs it alone, `npm run test:all` with the rest.
 */
export const slowTests = [
  'text/linear-time',
  'research/crash',
  'crash/background-work',
  'crash/two-of-three-servers',
  'crash/crash',
  'mail/faults',
  'public/linear-time',
  'server/start',
  'glance/labelled',
  'attack/attack',
  'server/disk-full',
  'deploy/push',
  'changes/card/hostile-cards',
  'api/large-texts',
  'sources/call-crash',
  'mcp/conformance',
  'eval/own-notes',
  'deploy/backup',
  'deploy/restore',
  'deploy/backup-postgres',
  'deploy/scale',
  'glance/new-mail',
  'mcp/restart',
  'secrets/restart',
  'cli/verify-audit',
  'cli/export',
  'cli/import',
  'cli/server-target',
  'changes/grounding/grounding',
  'api/dirty-text',
  'fuzz/fuzz',
  'attack/spy',
  'db/empty-store',
  'db/rolling-upgrade',
  'research/break-out',
  'changes/races',
  'companion/database-away',
  'maintenance/nightly-backup',
  'docs/curl-guide',
  'server/drain',
  'import/servers',
].map((name) => `tests/${name}.test.ts`)

/** Begins with these, so that no worker is alone with one in the end; a first run has no times to go by. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = slowTests.indexOf(relative('.', moduleId))
      return at < 0 ? slowTests.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
