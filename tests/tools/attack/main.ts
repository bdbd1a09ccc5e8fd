// `npm run attack`: every surface of surfaces/, one after another, a line for each. The exit code is 1 when one fell.

import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { freshPostgres } from '../bench/fresh-postgres.ts'
import { attackSurface, type Surface, type SurfaceReport } from './surface.ts'
import { textsFrom } from './surfaces/texts.ts'

const folder = new URL('surfaces/', import.meta.url)
const names = readdirSync(folder).map((file) => file.replace(/\.ts$/, ''))

const help = `npm run attack -- [--engine pglite|postgres] [SURFACE …] [--payloads FILE …]

Surfaces: ${names.join(', ')}; all of them without a name.
--engine postgres makes a database beside the one that TEST_DATABASE_URL names.
--payloads puts other texts to the surface of texts. Each line of such a file is a text, or JSON
  {"text":"…","kind":"role play","place":"page|title|mail|html|note|task"}
In a text {{attacker}} is an address that nothing may ask for; {{space}}, {{page}}, {{task}}, {{project}} are in the Space
of the turn, {{other_space}}, {{other_page}}, {{other_project}}, {{other_conversation}} in another one, and {{draft}} is
another agent's draft. The model makes the calls that a text writes out, as name({…}) or {"tool":"name","input":{…}},
encoded or not, and answers with what stands between <<< and >>>, else with the text.`

const { values, positionals } = parseArgs({
  options: {
    engine: { type: 'string', default: 'pglite' },
    payloads: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowPositionals: true,
})
if (values.help) console.log(help)
else await run()

async function run(): Promise<void> {
  const testUrl = process.env.TEST_DATABASE_URL
  if (values.engine === 'postgres' && !testUrl) throw new Error('TEST_DATABASE_URL names no Postgres server')
  const reports: SurfaceReport[] = []
  for (const surface of await choose()) {
    const database = values.engine === 'postgres' ? await freshPostgres(testUrl!) : null
    const report = await attackSurface(surface, database?.url).finally(() => database?.drop())
    reports.push(report)
    for (const fall of report.falls.slice(0, 20)) console.log(`  ${fall}`)
    console.log(
      `${report.name}: ${report.tried} tried, ${report.falls.length} fell (${Math.round(report.seconds)} s)`,
    )
  }
  const sum = (count: (report: SurfaceReport) => number) => reports.reduce((total, r) => total + count(r), 0)
  console.log(`${sum(({ tried }) => tried)} tried, ${sum(({ falls }) => falls.length)} fell`)
  if (reports.some(({ falls }) => falls.length > 0)) process.exitCode = 1
}

async function choose(): Promise<Surface[]> {
  if (values.payloads) return [textsFrom(values.payloads)]
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`no surface ${unknown.join(', ')}; there are ${names.join(', ')}`)
  const chosen = positionals.length > 0 ? positionals : names
  return Promise.all(
    chosen.map(async (name): Promise<Surface> => (await import(`./surfaces/${name}.ts`)).surface),
  )
}
