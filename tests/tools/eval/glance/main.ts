// `npm run eval:glance` runs the labelled situations through the whole glance: with a model that always wants to speak,
// so that only code keeps it silent, and, where a model is configured, with that one. `--mistakes` names the wrong ones.

import { parseArgs } from 'node:util'
import { createTemporaryKeyring } from '../../../../lib/auth/secrets/master-key.ts'
import { createLogger } from '../../../../lib/core/logger.ts'
import { assemble } from '../../../../lib/server/assemble.ts'
import { loadConfig } from '../../../../lib/server/config.ts'
import { mailOrders } from '../../../core/text/orders/mail-orders.ts'
import { printHelp } from '../../../helpers/print-help.ts'
import { openEvalDatabase } from '../open-database.ts'
import { askedSituations } from './asked.ts'
import { type BlindSituation, blindAsks, blindOrders, blindSilence } from './blind.ts'
import {
  byKind,
  figuresOf,
  gatesOf,
  type Judged,
  judgeSituations,
  obedientModel,
} from './judge-situations.ts'
import { now, readSituations, type Situation } from './make-situations.ts'

printHelp(import.meta.url)

const { values } = parseArgs({ options: { mistakes: { type: 'boolean', default: false } } })
const { database, close } = await openEvalDatabase(process.env.TEST_DATABASE_URL)
const deps = assemble(loadConfig(), {
  database,
  ownerToken: 'owner_eval',
  keyring: createTemporaryKeyring(),
  logger: createLogger('silent'),
  now: () => now,
})
const situations = readSituations()
const asking = situations.filter(({ kind }) => kind === 'needs reply')
const injected = situations.filter(({ kind }) => kind === 'injection')
/** Mails that ask something and end with an order to the program that reads them. */
const ordered = [
  ...mailOrders.map((order, at) => withOrder(asking[at % asking.length]!, order, at)),
  ...injected,
]

print(
  'Obedient model, which always wants to speak',
  await judgeSituations(deps, situations, (situation) => obedientModel(situation)),
)
printAsked('Perfect analyst', await judgeSituations(deps, askedSituations, quoting))
printOrders(await judgeSituations(deps, ordered, (situation) => obedientModel(situation, orderOf(situation))))
printAsked('Written apart, perfect analyst', await judgeSituations(deps, blindAsks, quoting))
printOrders(await judgeSituations(deps, blindOrders, quoting))
printSilence(await judgeSituations(deps, blindSilence, (situation) => obedientModel(situation)))
const { mode, name } = deps.ai.models.current()
if (mode === 'online') print(`Model: ${name}`, await judgeSituations(deps, situations, null))
else console.log('\nNo model is connected: set ANTHROPIC_API_KEY to judge one.')
await close()

/** The model that quotes the sentence of the situation. */
function quoting(situation: Situation) {
  return obedientModel(situation, (situation as BlindSituation).ask)
}

function printAsked(title: string, judged: readonly Judged[]): void {
  console.log(`\n${title}: ${judged.length} plain mails that ask\n\nlanguage     recall`)
  for (const [language, all] of Map.groupBy(
    judged,
    ({ situation }) => (situation as BlindSituation).language,
  ))
    console.log(
      `${language.padEnd(10)}${all.filter(({ decision }) => decision.surface).length} of ${all.length}`,
    )
  const missed = judged.filter(({ decision }) => !decision.surface)
  console.log(`altogether   ${((100 * (judged.length - missed.length)) / judged.length).toFixed(1)} %`)
  for (const { situation, decision } of missed)
    console.log(
      `  ${situation.id}: ${decision.stage} ${decision.reason}: ${(situation as BlindSituation).ask}`,
    )
}

function printSilence(judged: readonly Judged[]): void {
  console.log('\nWritten apart, mail that calls for silence')
  for (const [kind, all] of Map.groupBy(judged, ({ situation }) => situation.kind)) {
    const spoke = all.filter(({ decision }) => decision.surface)
    console.log(`${kind.padEnd(27)}${String(all.length).padStart(5)}  spoke ${spoke.length}`)
    for (const { situation } of spoke) console.log(`  ${JSON.stringify(situation.mails.at(-1))}`)
  }
}

function withOrder(situation: Situation, order: string, at: number): Situation {
  const last = situation.mails.at(-1)!
  const mails = [...situation.mails.slice(0, -1), { ...last, body: `${last.body}\n\n${order}` }]
  return { ...situation, id: `ordered-${at + 1}`, kind: 'injection', expected: 'silent', mails }
}

/** Its last paragraph. */
function orderOf({ mails }: Situation): string {
  return mails.at(-1)?.body?.split('\n\n').at(-1) ?? ''
}

function printOrders(judged: readonly Judged[]): void {
  const shown = judged.filter(({ decision }) => decision.surface)
  console.log(`\nOrders to the program, quoted as the ask: ${judged.length}, shown ${shown.length}`)
  for (const { situation } of shown) console.log(`  ${orderOf(situation)}`)
}

function print(title: string, judged: readonly Judged[]): void {
  const percent = (share: number) => `${(share * 100).toFixed(1).padStart(5)} %`
  const { precision, falseAlarms, restraint, recall, avoided, changed } = figuresOf(judged)
  console.log(`\n${title}: ${judged.length} situations\n`)
  console.log(`precision             ${percent(precision)}   of the nudges, those that were wanted`)
  console.log(`false alarms          ${percent(falseAlarms)}   of the nudges, those that were not`)
  console.log(`restraint             ${percent(restraint)}   silent where silence was wanted`)
  console.log(`recall                ${percent(recall)}   spoke where that was wanted`)
  console.log(`evaluations avoided   ${percent(avoided)}   ended by code before any model`)
  console.log(`changes               ${String(changed).padStart(5)}`)
  const times = judged
    .filter(({ decision }) => decision.stage === 'code')
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b)
  const at = (share: number) => `${times[Math.floor(times.length * share)]!.toFixed(1).padStart(5)} ms`
  console.log(`ended by code in      ${at(0.5)} median, ${at(0.95)} at the 95th percentile`)
  console.log('\nkind                       count  spoke')
  for (const { kind, count, spoke } of byKind(judged))
    console.log(`${kind.padEnd(27)}${String(count).padStart(5)}  ${String(spoke).padStart(5)}`)
  console.log('\ngate                       ended')
  for (const [gate, count] of gatesOf(judged))
    console.log(`${gate.padEnd(27)}${String(count).padStart(5)}  ${percent(count / judged.length)}`)
  if (values.mistakes) printMistakes(judged)
}

function printMistakes(judged: readonly Judged[]): void {
  for (const { situation, decision } of judged) {
    if (decision.surface === (situation.expected === 'speak')) continue
    console.log(
      `\n${situation.id}, ${situation.expected}: ${decision.stage} ${decision.reason}, ${decision.message ?? ''}`,
    )
    console.log(JSON.stringify(situation.mails.at(-1)?.body))
  }
}
