// `npm run eval:claims [-- --data FOLDER]`: what code alone can tell of claims. Without a folder, the falsehoods, paraphrases
// and copies of near-misses.txt with a judge that approves of everything; with one, labelled claims and documents, too.
// docs/research.md says what the figures mean.

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { verifyClaims } from '../../../../lib/companion/research/check/verify-claims.ts'
import { allSentences } from '../../../../lib/companion/research/rules/sentences.ts'
import { flagsBetween } from '../../../../lib/companion/research/verify/flags.ts'
import { printHelp } from '../../../helpers/print-help.ts'
import { type Baseline, balancedAccuracy, bm25, overlap } from './baselines.ts'
import { conflictRates, judgeConflicts } from './judge.ts'
import { type LabelledClaim, readLabelled } from './labelled-claims.ts'
import { readNearMisses } from './near-misses.ts'

printHelp(import.meta.url)

const usage = `Usage: npm run eval:claims -- [--data FOLDER] [--near FILE] [--mistakes]

FILE is as near-misses.txt. FOLDER has files *.jsonl. A line is either
  { "claim", "evidence": text or list of sentences, "label" or "stance" }, or
  { "question", "documents": [{ "text", "answer" }], "gold_answers", "wrong_answers" }.`

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    near: { type: 'string' },
    mistakes: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help || (values.data && !existsSync(values.data))) {
  if (values.data && !values.help) console.error(`There is no folder ${values.data}.\n`)
  console.log(usage)
  process.exit(values.help ? 0 : 2)
}

const percent = (part: number, whole = 1) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
const head = (...cells: string[]) => {
  row(...cells)
  row(...cells.map(() => '---'))
}

/** Called supported by the rules of before, of the same sentences: by kind. */
const before: Record<string, number> = {
  ...{ copy: 156, honest: 71, number: 0, date: 1, unit: 14, name: 0, swap: 18 },
  ...{ negation: 7, exception: 20, hedge: 20, quantifier: 10, comparison: 18 },
}

const near = readNearMisses(values.near).map((one) => ({
  ...one,
  flags: flagsBetween(one.claim, one.sentences),
}))
const supportedBy = (baseline: Baseline, some: typeof near) =>
  some.filter(({ claim, sentences }) => baseline(claim, sentences.join(' ')) >= 0.6).length

console.log('A judge that approves of everything. Overlap and BM25 approve from .6 on.\n')
head('sentences', 'n', 'flagged', 'approved', 'by the rules of before', 'by overlap', 'by BM25')
const kinds = [...new Set(near.map(({ kind }) => kind))]
const isFalse = (kind: string) => kind !== 'copy' && kind !== 'honest'
for (const kind of [...kinds.filter((one) => !isFalse(one)), ...kinds.filter(isFalse), 'all falsehoods']) {
  const some = near.filter((one) => (kind === 'all falsehoods' ? isFalse(one.kind) : one.kind === kind))
  const flagged = some.filter(({ flags }) => flags.length > 0).length
  const old =
    kind === 'all falsehoods'
      ? kinds.filter(isFalse).reduce((sum, one) => sum + before[one]!, 0)
      : before[kind]
  const beside = [
    values.near ? '' : percent(old ?? 0, some.length),
    ...[overlap, bm25].map((one) => percent(supportedBy(one, some), some.length)),
  ]
  row(
    kind,
    some.length,
    percent(flagged, some.length),
    percent(some.length - flagged, some.length),
    ...beside,
  )
}

console.log('')
head('language', 'copies flagged', 'paraphrases flagged', 'falsehoods flagged')
for (const language of new Set(near.map((one) => one.language))) {
  const share = (which: (kind: string) => boolean) => {
    const some = near.filter((one) => one.language === language && which(one.kind))
    return percent(some.filter(({ flags }) => flags.length > 0).length, some.length)
  }
  row(
    language,
    share((kind) => kind === 'copy'),
    share((kind) => kind === 'honest'),
    share(isFalse),
  )
}

if (values.mistakes)
  for (const { kind, claim, flags, sentences } of near.filter(
    (one) => isFalse(one.kind) !== one.flags.length > 0,
  ))
    console.log(`\n${kind}: ${claim}\n  ${flags.join('; ') || 'not flagged'}\n  ${sentences.join(' ')}`)

if (values.data) {
  const { claims, documents } = readLabelled(values.data)
  printCopies([
    ...claims.flatMap(({ passages }) => passages),
    ...documents.flatMap((one) => one.documents.map(({ passage }) => passage)),
  ])
  printChoice(claims)
  const compared = documents.map((labelled) => ({ labelled, conflicts: judgeConflicts(labelled) }))
  const { questions, conflicting, found, precision, recall } = conflictRates(compared)
  console.log('')
  head('documents', 'questions', 'with different answers', 'conflicts found', 'precision', 'of the questions')
  row('now', questions, conflicting, found, percent(precision), percent(recall))
  row('before', 250, 191, 134, '85.8 %', '35.1 %')
}

/** Sentences of the passages as claims that cite them. */
function printCopies(passages: readonly { text: string }[]): void {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
  const texts = [...new Set(passages.map(({ text }) => text))]
  let [count, failed] = [0, 0]
  for (const text of texts) {
    const sentences = [...segmenter.segment(text)]
      .map(({ segment }) => segment.trim())
      .filter(
        (one) =>
          one.split(/\s+/).length > 4 && /[a-z][.!]$/.test(one) && /^[A-Z]/.test(one) && !one.includes('\n'),
      )
      .slice(0, 3)
    const copies = sentences.map((one, at) => ({ id: String(at), text: one, cites: ['1'] }))
    const { claims } = verifyClaims({ claims: copies, ledger: [{ n: '1', title: '', text }] })
    count += copies.length
    failed += claims.filter(({ verdict }) => verdict !== 'quoted').length
    if (values.mistakes)
      for (const [at, { verdict }] of claims.entries())
        if (verdict !== 'quoted') console.log(`\ncopy: ${sentences[at]}`)
  }
  console.log(`\nCopies of sentences of public texts: ${count}, of which ${failed} are not called quoted.`)
}

/** Balanced accuracy of what needs no model, which is why nothing is called supported by it. */
function printChoice(claims: readonly LabelledClaim[]): void {
  const known = claims.filter(({ label }) => label !== 'partly')
  const scored = known.map((one) => {
    const text = one.passages.map((passage) => passage.text).join('\n\n')
    const isSupported = one.label === 'supported'
    const flags = flagsBetween(one.claim, allSentences(text))
    return { ...one, isSupported, flags, overlap: overlap(one.claim, text), bm25: bm25(one.claim, text) }
  })
  const recorded: Record<string, string> = { factcheck: '78.5 %', wice: '76.1 %' }
  console.log('')
  head('claims', 'n', 'the rules of before', 'overlap', 'BM25', 'supported flagged', 'others flagged')
  for (const set of new Set(scored.map((one) => one.set))) {
    const own = scored.filter((one) => one.set === set)
    const accuracy = (name: 'overlap' | 'bm25') => {
      const rows = own.map((one) => ({ isSupported: one.isSupported, score: one[name], half: one.half }))
      return percent(
        balancedAccuracy(
          rows.filter(({ half }) => half === 'tuned'),
          rows,
        ),
      )
    }
    const flagged = (isSupported: boolean) => {
      const some = own.filter((one) => one.isSupported === isSupported)
      return percent(some.filter(({ flags }) => flags.length > 0).length, some.length)
    }
    row(
      set,
      own.length,
      recorded[set] ?? '',
      accuracy('overlap'),
      accuracy('bm25'),
      flagged(true),
      flagged(false),
    )
  }
}
