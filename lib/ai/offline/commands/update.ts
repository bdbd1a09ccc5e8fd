import { type Draft, readDraft, readThing, type Thing } from '../answers.ts'
import { ask, type Plan } from '../plan.ts'
import { plainName } from '../questions/plain-text.ts'
import { askBack } from './ask-back.ts'
import { type Created, type Outcome, problem, propose } from './command.ts'
import { labelOf } from './kind-words.ts'
import { type Entity, findTarget, type Target } from './target.ts'

type Update = {
  target: Target
  said: string
  earlier: readonly Created[]
  /** The fields to set on what was found; a sentence for the owner when there is nothing to draft. */
  fields: (found: Entity, thing: Thing | null) => Record<string, unknown> | string
}

/** Finds the target, reads it, and drafts the change of its fields unless they stand there already. */
export function* draftUpdate({ target, said, earlier, fields }: Update): Plan<Outcome[]> {
  const match = yield* findTarget(target, earlier)
  if (match.is !== 'one') return problem(askBack(match, target))
  const { found } = match
  const thing = readThing(yield* ask('read', { kind: found.kind, id: found.id }))
  const payload = fields(found, thing)
  if (typeof payload === 'string') return problem(payload)
  if (thing && Object.entries(payload).every(([name, value]) => sameValue(thing.fields[name], value))) {
    return problem(`${nameOf(found)} is like that already, so there is nothing to draft.`)
  }
  return yield* draftChange({ found, said, payload })
}

type Change = {
  found: Entity
  said: string
  /** What the change refers to: the summary tells its id, the owner is told its name. */
  named?: Entity
} & ({ payload: Record<string, unknown> } | { edits: { old_text: string; new_text: string }[] })

export function* draftChange({ found, said, named, ...change }: Change): Plan<Outcome[]> {
  const answer = yield* propose(
    { entity_type: found.kind, action: 'update', entity_id: found.id, ...change },
    said,
  )
  const draft = readDraft(answer)
  const summary = draft && named ? draft.summary.replaceAll(named.id, `‘${named.title}’`) : draft?.summary
  return drafted(
    draft && { ...draft, summary: summary ?? '' },
    `${nameOf(found)} could not be drafted for a change: ${answer.text}`,
  )
}

export const drafted = (draft: Draft | null, otherwise: string): Outcome[] =>
  draft ? [{ draft }] : problem(otherwise)

export const nameOf = ({ kind, title }: Entity) => `The ${labelOf(kind)} **${plainName(title)}**`

/** A field that was not told is not known to be the same. */
const sameValue = (now: unknown, wanted: unknown) => now !== undefined && now === wanted
