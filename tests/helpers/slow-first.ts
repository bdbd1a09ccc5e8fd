import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that take ten seconds and more on a quiet machine, the longest first. */
const slowest = [
  'tests/text/linear-time.test.ts',
  'tests/crash/background-work.test.ts',
  'tests/crash/two-of-three-servers.test.ts',
  'tests/crash/crash.test.ts',
  'tests/attack/attack.test.ts',
  'tests/deploy/push.test.ts',
  'tests/server/disk-full.test.ts',
  'tests/changes/card/hostile-cards.test.ts',
  'tests/api/large-texts.test.ts',
  'tests/server/start.test.ts',
  'tests/sources/call-crash.test.ts',
  'tests/public/linear-time.test.ts',
  'tests/mail/sync.test.ts',
  'tests/mcp/conformance.test.ts',
]

/** Begins with the slowest, so that no worker is alone with one in the end; a first run has no times to go by. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = slowest.indexOf(relative('.', moduleId))
      return at < 0 ? slowest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
