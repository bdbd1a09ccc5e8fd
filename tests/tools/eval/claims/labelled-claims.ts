// Labelled claims and documents, from every *.jsonl of a folder, told by their fields and not by their names.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Passage } from '../../../../lib/companion/research/verify/types.ts'

type Label = 'supported' | 'partly' | 'refuted' | 'not_supported'

export type LabelledClaim = {
  set: string
  /** The rules were tuned on one half of the claims; the other was not looked at. */
  half: 'tuned' | 'held out'
  claim: string
  label: Label
  passages: Passage[]
}

export type LabelledDocuments = {
  set: string
  half: 'tuned' | 'held out'
  question: string
  answers: string[]
  /** Each with the answer that it gives, or `null`. */
  documents: { passage: Passage; answer: string | null }[]
}

const labels: Record<string, Label> = {
  supported: 'supported',
  'completely-support': 'supported',
  support: 'supported',
  partially_supported: 'partly',
  'partially-support': 'partly',
  not_supported: 'not_supported',
  irrelevant: 'not_supported',
  not_enough_info: 'not_supported',
  refute: 'refuted',
  refuted: 'refuted',
  contradict: 'refuted',
}

/** Sentences of a page in one passage, where the page is a list of sentences. */
const passageSentences = 12

export function readLabelled(folder: string): { claims: LabelledClaim[]; documents: LabelledDocuments[] } {
  const claims: LabelledClaim[] = []
  const documents: LabelledDocuments[] = []
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()) {
    const set = basename(file, '.jsonl')
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      const row = JSON.parse(line)
      const label = labels[String(row.label ?? row.stance).toLowerCase()]
      if (typeof row.claim === 'string' && label && row.evidence)
        claims.push({
          set,
          half: halfOf(row.claim),
          claim: row.claim,
          label,
          passages: passagesOf(row.evidence),
        })
      else if (typeof row.question === 'string' && Array.isArray(row.documents))
        documents.push(documentsOf(set, row))
      else throw new Error(`${file} has a line without claim, evidence and label, or question and documents.`)
    }
  }
  return { claims, documents }
}

function passagesOf(evidence: string | string[]): Passage[] {
  if (typeof evidence === 'string') return [{ n: '1', title: '', text: evidence }]
  const count = Math.ceil(evidence.length / passageSentences)
  return Array.from({ length: count }, (_, at) => {
    const sentences = evidence.slice(at * passageSentences, (at + 1) * passageSentences)
    return { n: String(at + 1), title: '', text: sentences.join('\n\n') }
  })
}

type DocumentsRow = {
  question: string
  documents: { text: string; answer: string }[]
  gold_answers: string[]
  wrong_answers: string[]
}

function documentsOf(
  set: string,
  { question, documents, gold_answers, wrong_answers }: DocumentsRow,
): LabelledDocuments {
  return {
    ...{ set, question, half: halfOf(question), answers: [...new Set([...gold_answers, ...wrong_answers])] },
    documents: documents.map(({ text, answer }, at) => ({
      passage: { n: String(at + 1), title: '', text },
      answer: answer === 'unknown' ? null : answer,
    })),
  }
}

/** The same for all lines on one claim, so that no half has seen what the other is judged by. */
const halfOf = (text: string) =>
  Number.parseInt(createHash('md5').update(text).digest('hex').slice(-1), 16) % 2 === 0 ? 'tuned' : 'held out'
