// `npm run eval:router` judges the configured router on turns.json: the small model where there is a key, else the
// rules (ROUTER_MODEL=none for those in any case). Three figures, each for both halves, because they pull against each
// other: accuracy, wrong merges, undo rate. `--mistakes` names the wrong ones of the tuning half.
// `--server URL --token TOKEN` tells how often the owner of that server took a routing back.

import { parseArgs } from 'node:util'
import { createModelProvider } from '../../../../lib/ai/models/model-provider.ts'
import { createModelRouter, routingLimitMs } from '../../../../lib/companion/router/router.ts'
import { ruleRouter } from '../../../../lib/companion/router/rule-router.ts'
import { loadConfig, modelSettings } from '../../../../lib/server/config.ts'
import { printHelp } from '../../../helpers/print-help.ts'
import { judge, score, type Verdict } from './judge.ts'
import { readLabelledTurns } from './labelled-turns.ts'
import { readUndoRates } from './recorded.ts'

printHelp(import.meta.url)

const { values } = parseArgs({
  options: {
    mistakes: { type: 'boolean', default: false },
    server: { type: 'string' },
    token: { type: 'string' },
  },
})

const percent = (share: number) => `${(share * 100).toFixed(1).padStart(5)} %`

if (values.server) await tellRecorded(values.server, values.token ?? '')
else await tellLabelled()

async function tellLabelled(): Promise<void> {
  const model = modelSettings(loadConfig())
  const small = createModelProvider(() => model, { now: () => new Date() }).small()
  const router = small ? createModelRouter(small) : ruleRouter
  console.log(`Router: ${small ? small.name : 'rules'}\n`)
  const verdicts = await judge(router, readLabelledTurns(), routingLimitMs)

  console.log(`${''.padEnd(10)}turns  accuracy  wrong merges  undo rate`)
  for (const half of ['tuning', 'held_out', 'all'] as const) {
    const { turns, accuracy, wrong_merges, undone } = score(
      verdicts.filter(({ turn }) => half === 'all' || turn.half === half),
    )
    const figures = [accuracy, wrong_merges, undone].map(percent)
    console.log(
      `${half.padEnd(10)}${String(turns).padStart(5)}  ${figures[0]}   ${figures[1]}       ${figures[2]}`,
    )
  }
  const count = (by: string) => verdicts.filter((verdict) => verdict.by === by).length
  const asked = verdicts.filter(({ by }) => by !== 'obvious')
  const slowest = Math.max(0, ...asked.map(({ ms }) => ms))
  console.log(
    `\n${count('obvious')} were obvious, ${asked.length} were asked (${count('fallback')} without a usable answer), the slowest in ${slowest} ms.`,
  )
  if (values.mistakes) tellMistakes(verdicts)
}

function tellMistakes(verdicts: readonly Verdict[]): void {
  for (const { turn, got, by, reason } of verdicts) {
    if (got === turn.expected || turn.half !== 'tuning') continue
    console.log(`  “${turn.known.message}” ${turn.expected} → ${got} (${by}: ${reason})`)
  }
}

async function tellRecorded(server: string, token: string): Promise<void> {
  console.log('decided by   choice     decisions  undone')
  for (const { decided_by, choice, decisions, undone } of await readUndoRates(server, token)) {
    const shown = `${decided_by.padEnd(12)} ${choice.padEnd(10)} ${String(decisions).padStart(9)}`
    console.log(`${shown}  ${percent(undone / decisions)}`)
  }
}
