// `npm run bench` runs every measurement, `npm run bench -- turn load` the ones named. The figures go to the terminal
// as a table and to bench-results.json. docs/performance.md says what they mean.

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { printHelp } from '../../helpers/print-help.ts'
import { activity } from './activity.ts'
import { auditPartitions } from './audit-partitions.ts'
import { autovacuum } from './autovacuum.ts'
import { bigStore } from './big-store.ts'
import { blame } from './blame.ts'
import { browserPaint } from './browser-paint.ts'
import { browserPalette } from './browser-palette.ts'
import { browserRail } from './browser-rail.ts'
import { browserTyping } from './browser-typing.ts'
import { cards } from './cards.ts'
import { claims } from './claims.ts'
import { crowded } from './crowded.ts'
import { decisions } from './decisions.ts'
import { durability } from './durability.ts'
import { folder } from './folder.ts'
import { glance } from './glance.ts'
import { hostileTexts } from './hostile-texts.ts'
import { idleReaders } from './idle-readers.ts'
import { idleRoutines } from './idle-routines.ts'
import { importing } from './import.ts'
import { importLatency } from './import-latency.ts'
import { importMany } from './import-many.ts'
import { importMemory } from './import-memory.ts'
import { load } from './load.ts'
import { describeMachine } from './machine.ts'
import { mail } from './mail.ts'
import { mcp } from './mcp.ts'
import { type Figure, isHeld, type Measurement } from './measurement.ts'
import { oneTurn } from './one-turn.ts'
import { formatFigures } from './print-figures.ts'
import { prompt } from './prompt.ts'
import { races } from './races.ts'
import { research } from './research.ts'
import { resume } from './resume.ts'
import { routing } from './routing.ts'
import { search } from './search.ts'
import { searchEngines } from './search-engines.ts'
import { slowStreams } from './slow-streams.ts'
import { smallMachine } from './small-machine.ts'
import { stalls } from './stalls.ts'
import { start } from './start.ts'
import { stop } from './stop.ts'

printHelp(import.meta.url)

const inBrowser = [browserPaint, browserRail, browserPalette, browserTyping]
const measurements: readonly Measurement[] = [
  oneTurn,
  durability,
  routing,
  load,
  slowStreams,
  crowded,
  stalls,
  resume,
  stop,
  idleReaders,
  idleRoutines,
  start,
  smallMachine,
  search,
  searchEngines,
  mcp,
  importing,
  importLatency,
  importMemory,
  importMany,
  folder,
  mail,
  glance,
  decisions,
  races,
  cards,
  claims,
  research,
  blame,
  prompt,
  hostileTexts,
  activity,
  bigStore,
  auditPartitions,
  autovacuum,
  ...inBrowser,
]
const resultsFile = fileURLToPath(new URL('../../bench-results.json', import.meta.url))

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !measurements.some((measurement) => measurement.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no measurement ${unknown.join(', ')}: ${measurements.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}

const machine = describeMachine()
const { cores, cpu, memory_gb, node, engine } = machine
console.log(
  `${cores} cores (${cpu}), ${memory_gb} GB, Node ${node}, ${engine}, load ${machine.load} at the start\n`,
)

const results: { name: string; about: string; figures: (Figure & { held: boolean | null })[] }[] = []
for (const { name, about, run } of measurements) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`${name}: ${about}`)
  const figures = await run((message) => console.log(`  ${message}`))
  console.log(`${formatFigures(figures)}\n`)
  results.push({ name, about, figures: figures.map((figure) => ({ ...figure, held: isHeld(figure) })) })
}

const at = new Date().toISOString()
writeFileSync(resultsFile, `${JSON.stringify({ at, machine, measurements: results }, null, 2)}\n`)
const missed = results.flatMap(({ figures }) => figures).filter(({ held }) => held === false)
console.log(missed.length === 0 ? 'Everything promised is held.' : `NOT held: ${missed.length} figures.`)
