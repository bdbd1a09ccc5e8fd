// `npm run crash-test -- --kills 1000 --database postgres://…`: kills a server so many times and prints what that cost.
// Without a database it is PGlite. With `--restart-database 'pg_ctl -D … restart'` it is the database that is restarted
// so many times. The exit code is 1 when anything was lost, doubled or late.

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { printHelp } from '../../helpers/print-help.ts'
import { type CrashReport, crashLoop } from './crash-loop.ts'

printHelp(import.meta.url)

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    database: { type: 'string' },
    'restart-database': { type: 'string' },
    /** A file for the report, written anew after each kill. */
    report: { type: 'string' },
  },
})
const write = (report: CrashReport) => {
  if (values.report) writeFileSync(values.report, `${JSON.stringify(report, null, 2)}\n`)
}

const report = await crashLoop({
  kills: Number(values.kills),
  databaseUrl: values.database,
  restartDatabase: values['restart-database'],
  log: console.log,
  onKill: write,
})
console.log(JSON.stringify(report, null, 2))
const { lost, duplicated, bricked, draftsDuplicated, late, stuck, refusals } = report
if (lost + duplicated + bricked + draftsDuplicated + late + stuck + refusals.length > 0) process.exitCode = 1
