// Questions made from the owner's own notes: a title or a heading asks for what stands under it. The notes are judged
// without their titles and headings, which would answer for themselves.

import { chunkText } from '../../../lib/core/text/chunk.ts'
import type { Queryable } from '../../../lib/db/pool.ts'
import type { Collection } from './collection.ts'

export type Note = { title: string; body: string }

const maxNotes = 1000
const maxPassages = 2000
const maxQuestions = 300
/** A shorter passage says too little to be found by its meaning. */
const minPassage = 80
const headingLine = /^#{1,6}[ \t].*$/gm

/** The pages of a Space by its slug. */
export async function readNotes(db: Queryable, slug: string): Promise<Note[]> {
  const { rows } = await db.query<Note>(
    `select p.title, p.body
     from pages p
     join spaces s on s.id = p.space_id
     where s.slug = $1 and p.deleted_at is null
     order by p.id
     limit $2`,
    [slug, maxNotes],
  )
  return rows
}

/** Each passage is a document. A name that stands over several asks for all of them. */
export function questionsFrom(notes: readonly Note[]): Collection {
  const documents: Collection['documents'] = []
  const answers = new Map<string, string[]>()

  for (const { title, body } of notes) {
    for (const { text, heading_path } of chunkText(body, title)) {
      const bare = text.replace(headingLine, '').trim()
      if (bare.length < minPassage || documents.length === maxPassages) continue
      const id = `d${documents.length}`
      documents.push({ id, title: '', text: bare })
      for (const name of [title, heading_path.at(-1) ?? '']) {
        if (/\p{L}{3}/u.test(name)) answers.set(name, [...(answers.get(name) ?? []), id])
      }
    }
  }
  const step = Math.max(1, answers.size / maxQuestions)
  const kept = [...answers].filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
  return {
    documents,
    questions: kept.map(([text], at) => ({ id: `q${at}`, text })),
    relevant: new Map(kept.map(([, ids], at) => [`q${at}`, new Map(ids.map((id) => [id, 1]))])),
  }
}
