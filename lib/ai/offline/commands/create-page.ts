import { type Answer, failure, readDraft } from '../answers.ts'
import type { Plan } from '../plan.ts'
import { askBack } from './ask-back.ts'
import { type Command, type Created, problem, propose } from './command.ts'
import type { Creation } from './create.ts'
import { readNamedText } from './named-text.ts'
import { findTarget, readTarget, type Target } from './target.ts'

/** A new page with its text, under another one if that is named. */
export function createPage({ rest, below, said }: Creation): Command | null {
  const { title, body, under } = readNamedText(rest, below)
  const parent = under === null ? null : { ...readTarget(under, ['page']), kinds: ['page'] }
  return title === '' ? null : newPage({ title, body, parent, said })
}

type NewPage = { title: string; body: string; parent: Target | null; said: string }

export function newPage({ title, body, parent, said }: NewPage): Command {
  const payload = { title: title.slice(0, 500).toWellFormed(), ...(body ? { body } : {}) }

  function* make(earlier: readonly Created[]): Plan<Answer> {
    const match = parent ? yield* findTarget(parent, earlier) : null
    if (match && match.is !== 'one') return failure(askBack(match, parent!))
    const under = match ? { parent_id: match.found.id } : {}
    return yield* propose({ entity_type: 'page', action: 'create', payload: { ...payload, ...under } }, said)
  }

  return {
    said,
    creates: (earlier) => [{ kind: 'page', title, make: () => make(earlier) }],
    *draft(earlier) {
      const answer = yield* make(earlier)
      const draft = readDraft(answer)
      return draft ? [{ draft }] : problem(`I could not draft the page “${payload.title}”: ${answer.text}`)
    },
  }
}
