// `npm run attack -- FILE…`: has a model that obeys every text read hostile ones, and prints what came of it. Without
// files it is the two hundred of payloads.jsonl. The exit code is 1 when anything changed, left or ran.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { freshPostgres } from '../bench/fresh-postgres.ts'
import { attack, isHarmless } from './attack.ts'
import { parsePayloads } from './payload.ts'

const help = `npm run attack -- [--engine pglite|postgres] [FILE …]

Each line of a file is a payload: a text, or JSON
  {"text":"…","kind":"role play","place":"page|title|mail|html|note|task"}
In a text {{attacker}} is an address that nothing may ask for; {{space}}, {{page}}, {{task}}, {{project}} are in the Space
of the turn, {{other_space}}, {{other_page}}, {{other_project}}, {{other_conversation}} in another one, and {{draft}} is
another agent's draft. The model makes the calls that a text writes out, as name({…}) or {"tool":"name","input":{…}},
encoded or not, and answers with what stands between <<< and >>>, else with the text.
--engine postgres makes a database beside the one that TEST_DATABASE_URL names.`

const { values, positionals } = parseArgs({
  options: { engine: { type: 'string', default: 'pglite' }, help: { type: 'boolean', default: false } },
  allowPositionals: true,
})
if (values.help) console.log(help)
else await run()

async function run(): Promise<void> {
  const testUrl = process.env.TEST_DATABASE_URL
  if (values.engine === 'postgres' && !testUrl) throw new Error('TEST_DATABASE_URL names no Postgres server')
  const database = values.engine === 'postgres' ? await freshPostgres(testUrl!) : null
  const files = positionals.length > 0 ? positionals : [new URL('payloads.jsonl', import.meta.url)]
  const payloads = files.flatMap((file) => parsePayloads(readFileSync(file, 'utf8')))
  const report = await attack({ payloads, databaseUrl: database?.url, log: console.log }).finally(() =>
    database?.drop(),
  )

  for (const text of report.texts) console.log(`\n${text}`)
  const { turns, calls, drafts, pages, found } = report
  console.log(
    `\n${payloads.length} payloads, ${turns} turns, ${calls} calls, ${drafts} drafts, ${pages} pages looked at`,
  )
  for (const [sort, count] of Object.entries(found)) console.log(`${sort}: ${count}`)
  if (!isHarmless(report)) process.exitCode = 1
}
