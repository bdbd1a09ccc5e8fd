// `npm run eval:claims -- --data FOLDER`: how well the rules of lib/companion/research/verify/ tell supported claims from others, on
// labelled claims. docs/research.md says what the figures mean. `--mistakes` lists the wrong ones of the tuned half.

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { printHelp } from '../../../helpers/print-help.ts'
import { conflictRates, type JudgedClaim, judgeClaims, judgeConflicts, ratesOf } from './judge.ts'
import { readLabelled } from './labelled-claims.ts'

printHelp(import.meta.url)

const usage = `Usage: npm run eval:claims -- --data FOLDER [--mistakes]

FOLDER has files *.jsonl. A line is either
  { "claim", "evidence": text or list of sentences, "label" or "stance" }, or
  { "question", "documents": [{ "text", "answer" }], "gold_answers", "wrong_answers" }.`

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    mistakes: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help || !values.data || !existsSync(values.data)) {
  if (values.data && !values.help) console.error(`There is no folder ${values.data}.\n`)
  console.log(usage)
  process.exit(values.help ? 0 : 2)
}

const { claims, documents } = readLabelled(values.data)
const judged = judgeClaims(claims)
const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const halves = ['tuned', 'held out', 'all'] as const
const inHalf = <T extends { half: string }>(rows: readonly T[], half: string) =>
  rows.filter((row) => half === 'all' || row.half === half)
const sets = (rows: readonly { set: string }[]) => [...new Set(rows.map(({ set }) => set))]

console.log('| claims | half | n | recall of supported | false supported | balanced accuracy | F1 |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')
for (const set of [...sets(judged), 'all']) {
  for (const half of halves) {
    const rows = inHalf(judged, half).filter((row) => set === 'all' || row.set === set)
    const { claims: n, recall, falseSupported, balancedAccuracy, f1 } = ratesOf(rows)
    const figures = [recall, falseSupported, balancedAccuracy, f1].map(percent)
    console.log(`| ${[set, half, n, ...figures].join(' | ')} |`)
  }
}

const verdicts = ['supported', 'partly', 'disputed', 'nowhere', 'unchecked'] as const
console.log(`\n| claims | label | n | ${verdicts.join(' | ')} |`)
console.log(`| --- | --- | --- |${' --- |'.repeat(verdicts.length)}`)
for (const set of sets(judged)) {
  for (const label of ['supported', 'partly', 'not_supported', 'refuted'] as const) {
    const rows = judged.filter((row) => row.set === set && row.label === label)
    if (rows.length === 0) continue
    const shares = verdicts.map((verdict) =>
      percent(rows.filter((row) => row.verdict === verdict).length / rows.length),
    )
    console.log(`| ${[set, label, rows.length, ...shares].join(' | ')} |`)
  }
}

const compared = documents.map((labelled) => ({
  half: labelled.half,
  set: labelled.set,
  labelled,
  conflicts: judgeConflicts(labelled),
}))
console.log(
  '\n| documents | half | questions | with different answers | conflicts found | precision | of the questions |',
)
console.log('| --- | --- | --- | --- | --- | --- | --- |')
for (const set of sets(compared)) {
  for (const half of halves) {
    const rates = conflictRates(inHalf(compared, half).filter((row) => row.set === set))
    const figures = [percent(rates.precision), percent(rates.recall)]
    console.log(`| ${[set, half, rates.questions, rates.conflicting, rates.found, ...figures].join(' | ')} |`)
  }
}

if (values.mistakes) {
  for (const row of inHalf(judged, 'tuned').filter(isMistake))
    console.log(
      `\n${row.set}: ${row.label}, ${row.verdict} (${row.score}): ${row.claim}\n  ${row.reasons.join('\n  ')}`,
    )
  for (const { a, b, values: found, question, about } of inHalf(compared, 'tuned').flatMap(
    ({ conflicts }) => conflicts,
  ))
    if (a === null || b === null || a === b)
      console.log(`\n${question} ${a} and ${b} are no conflict: ${found.join(' against ')}\n  ${about}`)
}

function isMistake({ label, verdict }: JudgedClaim): boolean {
  return label === 'partly' ? false : (label === 'supported') !== (verdict === 'supported')
}
