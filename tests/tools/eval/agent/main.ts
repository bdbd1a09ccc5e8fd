// `npm run eval:agent` takes the 80 tasks of the agent with the configured model, or with that of `--model NAME`,
// `--base-url URL` and `--wire messages|chat`, each over the real companion in a Space made for it, and prints what was
// done and why not. `--tasks edit,inject-3` takes some kinds or tasks, `--repeat N` each several times, `--json FILE` says
// where the results go (default: agent-eval.json). `--compare A.json B.json` compares two runs task by task.
// `--model offline` takes them with the companion of rules. docs/models.md says what the figures mean. The key is that of the
// configuration (ANTHROPIC_API_KEY).

import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createModelProvider, offlineName } from '../../../../lib/ai/models/model-provider.ts'
import { createModelServers } from '../../../../lib/ai/models/model-servers.ts'
import { listPrices } from '../../../../lib/ai/usage/prices.ts'
import { withoutCredentials } from '../../../../lib/ai/wires/server-address.ts'
import { runTrial } from '../../../../lib/companion/trial/run-trial.ts'
import { makeTrialSpace } from '../../../../lib/companion/trial/trial-space.ts'
import { createLogger } from '../../../../lib/core/logger.ts'
import { assemble } from '../../../../lib/server/assemble.ts'
import { loadConfig, modelSettings } from '../../../../lib/server/config.ts'
import { createTrialVoid } from '../../../../lib/server/trial.ts'
import { printHelp } from '../../../helpers/print-help.ts'
import { openEvalDatabase } from '../open-database.ts'
import { chooseTasks } from './all-tasks.ts'
import { AgentRun, compareRuns, formatRun } from './report.ts'

printHelp(import.meta.url)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string' },
    'base-url': { type: 'string' },
    wire: { type: 'string' },
    tasks: { type: 'string' },
    repeat: { type: 'string', default: '1' },
    json: { type: 'string', default: 'agent-eval.json' },
    compare: { type: 'boolean', default: false },
  },
})

if (values.compare) compare(positionals)
else await evaluate()

function compare([first, second]: string[]): void {
  if (!first || !second) fail('--compare takes two files that --json wrote.')
  const read = (file: string) => AgentRun.parse(JSON.parse(readFileSync(file, 'utf8')))
  console.log(compareRuns(read(first), read(second)))
}

async function evaluate(): Promise<void> {
  const config = loadConfig()
  const configured = modelSettings(config)
  const { wire } = values
  if (wire !== undefined && wire !== 'messages' && wire !== 'chat') fail('--wire is messages or chat.')
  const settings = {
    ...configured,
    ...{ smallModel: null, wire: wire ?? configured.wire ?? 'messages' },
    ...{ baseUrl: values['base-url'] ?? configured.baseUrl, model: values.model ?? configured.model },
  }
  const reached = values.model === offlineName ? { ...settings, apiKey: null, baseUrl: null } : settings
  const tasks = chooseTasks(values.tasks)
  const repeat = Number(values.repeat)
  if (!Number.isInteger(repeat) || repeat < 1 || repeat > 20) fail('--repeat is a number from 1 to 20.')

  const run: AgentRun = {
    ...{ model: settings.model, wire: settings.wire, started_at: new Date().toISOString() },
    base_url: settings.baseUrl && withoutCredentials(settings.baseUrl),
    tasks: tasks.map(({ id }) => ({ id, runs: [] })),
  }
  for (let time = 0; time < repeat; time += 1) {
    const { database, close } = await openEvalDatabase(undefined)
    const logger = createLogger('silent')
    const servers = createModelServers({ database, logger })
    const models = createModelProvider(() => reached, { now: () => new Date(), servers })
    if (models.current().mode === 'offline' && reached === settings)
      fail('No model is connected: set ANTHROPIC_API_KEY, or give --base-url.')
    await models.probe?.(AbortSignal.timeout(600_000))
    const trial = createTrialVoid(assemble, config, { database, models, logger })
    const space = await makeTrialSpace(trial)
    for await (const { result } of runTrial(trial, space, tasks, new AbortController().signal)) {
      const { id, kind: _, ...rest } = result
      run.tasks.find((task) => task.id === id)!.runs.push(rest)
      process.stderr.write(`${result.failures.length === 0 ? 'done  ' : 'failed'} ${id}\n`)
    }
    servers.close()
    await trial.close()
    await close()
  }
  writeFileSync(values.json, `${JSON.stringify(run, null, 1)}\n`)
  console.log(formatRun(run, new Map([...listPrices, ...config.modelPrices])))
  console.log(`\nWritten to ${values.json}.`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
