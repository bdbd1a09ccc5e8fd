// A retrieval collection: documents, questions, and which documents answer which question. Lines of JSON in a folder
// (docs.jsonl, queries.jsonl, qrels.jsonl), in files named one by one, or all in one file: what a line is shows in
// its fields. docs/search.md describes them.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const document = z.object({
  id: z.coerce.string(),
  title: z.string(),
  text: z.string(),
  /** Documents that follow each other in one file or conversation share it. */
  thread: z.string().optional(),
  /** Who says it, in a thread. */
  speaker: z.string().optional(),
})
const question = z.object({ id: z.coerce.string(), text: z.string() })
const judgement = z.object({ qid: z.coerce.string(), did: z.coerce.string(), rel: z.number() })

export type EvalDocument = z.infer<typeof document>
type EvalQuestion = z.infer<typeof question>

export type Collection = {
  documents: EvalDocument[]
  /** Those that some document answers. */
  questions: EvalQuestion[]
  /** For each question, the documents that answer it and how well. */
  relevant: Map<string, Map<string, number>>
}

/** Reads a folder or files. Throws an `Error` that names the line which is none of the three. */
export function readCollection(paths: readonly string[]): Collection {
  const documents: EvalDocument[] = []
  const questions: EvalQuestion[] = []
  const relevant: Collection['relevant'] = new Map()

  for (const file of paths.flatMap(filesOf)) {
    for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
      if (line.trim() === '') continue
      const place = `${file}:${index + 1}`
      const value = parseLine(line, place)
      if ('did' in value) addJudgement(relevant, check(judgement, value, place))
      else if ('title' in value) documents.push(check(document, value, place))
      else questions.push(check(question, value, place))
    }
  }
  return { documents, questions: questions.filter(({ id }) => relevant.has(id)), relevant }
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return ['docs.jsonl', 'queries.jsonl', 'qrels.jsonl'].map((name) => join(path, name))
}

function parseLine(line: string, place: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(line))
  } catch (cause) {
    throw new Error(`${place} is not an object of JSON`, { cause })
  }
}

function check<Value>(schema: z.ZodType<Value>, value: unknown, place: string): Value {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Error(`${place}: ${z.prettifyError(parsed.error)}`)
}

function addJudgement(relevant: Collection['relevant'], { qid, did, rel }: z.infer<typeof judgement>) {
  if (rel <= 0) return
  const documents = relevant.get(qid) ?? new Map<string, number>()
  relevant.set(qid, documents.set(did, rel))
}
