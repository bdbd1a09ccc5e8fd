// `npm run eval:search -- FILE …`: how well search answers the questions of a retrieval collection, on an embedded
// database made for it or on the Postgres of --postgres. docs/search.md says what goes in and what the figures mean.

import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { createHttpEmbedder } from '../../../lib/search/embed/embedder.ts'
import { loadConfig } from '../../../lib/server/config.ts'
import { readCollection } from './collection.ts'
import { makeDialogues } from './dialogues/make-dialogues.ts'
import { evaluate } from './evaluate.ts'
import { measureOwn } from './measure-own.ts'
import { openEvalDatabase } from './open-database.ts'
import { evaluateOverHttp } from './over-http.ts'
import { formatReports } from './report.ts'

const usage = `Usage: npm run eval:search -- [options] FILE …

FILE is a folder with docs.jsonl, queries.jsonl and qrels.jsonl, or one file that holds all three.

  --mixed          all collections in one Space
  --typos          a slip in the longest word of each question
  --dialogues      also the made-up conversations of tests/tools/eval/dialogues
  --links N        N links from each document to others taken at random
  --http           also over HTTP, of a whole server, each with its pages written by the API
  --titles         with --http: how pages are found by their titles, and while these are typed
  --postgres URL   on this server, in a database made and dropped there
  --embedding URL  words and meaning, by a server that speaks OpenAI's embeddings
  --model NAME     its model

or     npm run eval:search -- --own SPACE

                   chooses what meaning counts beside words, by questions made from the titles and headings of the
                   pages of that Space (its slug), with the configured EMBEDDING_PROVIDER; stop the server first`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mixed: { type: 'boolean', default: false },
    dialogues: { type: 'boolean', default: false },
    typos: { type: 'boolean', default: false },
    links: { type: 'string', default: '0' },
    http: { type: 'boolean', default: false },
    titles: { type: 'boolean', default: false },
    postgres: { type: 'string' },
    embedding: { type: 'string' },
    model: { type: 'string', default: 'default' },
    own: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.own) {
  try {
    const { share, ndcg_words, ndcg_meaning, questions } = await measureOwn(loadConfig(), values.own)
    const figures = `nDCG@10 ${ndcg_words.toFixed(3)} with words alone, ${ndcg_meaning.toFixed(3)} with meaning`
    console.log(
      `${figures}, ${questions} questions. Meaning counts ${Math.round(share * 100)} % from now on.`,
    )
    process.exit(0)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
if (values.help || (positionals.length === 0 && !values.dialogues)) {
  console.log(usage)
  process.exit(values.help ? 0 : 2)
}

const named = positionals.map((path) => ({ name: basename(path), ...readCollection([path]) }))
const collections = values.dialogues ? [...named, { name: 'dialogues', ...makeDialogues() }] : named
const { database, close } = await openEvalDatabase(values.postgres)
try {
  const { mixed, typos, embedding: url, model } = values
  const embedder = url ? createHttpEmbedder({ provider: 'openai', url, model, readKey: () => null }) : null
  const options = { mixed, typos, links: Number(values.links), embedder }
  const reports = await evaluate(database, collections, options)
  console.log(formatReports(database.engine, reports))
} finally {
  await close()
}
if (values.http) {
  const second = await openEvalDatabase(values.postgres)
  try {
    const { reports, titles } = await evaluateOverHttp(second.database, collections, values)
    console.log(`\n${formatReports(second.database.engine, reports)}`)
    for (const { name, what, asked, share } of titles)
      console.log(`\n${name}: ${what}: ${(100 * share).toFixed(1)} % of ${asked}`)
  } finally {
    await second.close()
  }
}
