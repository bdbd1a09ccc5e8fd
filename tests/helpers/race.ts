// One race: decisions of every sort on one draft at once, with an owner who edits and an agent who revises in between;
// then whether what stands in the database can have come about by them one after the other.

import type { Deps } from '../../lib/api/deps.ts'
import type { PendingChange } from '../../lib/contract/changes/pending-change.ts'
import type { EntityRow } from '../../lib/contract/entities/kind.ts'
import type { AgentActor, OwnerActor } from '../../lib/core/actor.ts'
import { AppError } from '../../lib/core/errors.ts'
import { createAuditRepo } from '../../lib/db/repos/audit.ts'
import { createEntitiesRepo } from '../../lib/db/repos/entities.ts'
import { createPendingChangeListsRepo } from '../../lib/db/repos/pending_change_lists.ts'

export const contenders = [
  'approve',
  'approve title',
  'approve body',
  'approve a hunk',
  'edit and approve',
  'edit otherwise and approve',
  'reject',
  'review again',
  'retract',
  'revise',
  'owner edits',
  'owner deletes',
] as const
export type Contender = (typeof contenders)[number]

export type Track = { deps: Deps; spaceId: string; agent: AgentActor }

const owner: OwnerActor = { kind: 'owner' }
const body = 'One\n\nTwo\n\nThree\n'
const drafted = { title: 'Drafted', body: 'First\n\nTwo\n\nThird\n' }
const expected = new Set([
  'already_decided',
  'stale_version',
  'obsolete',
  'not_stale',
  'nothing_left',
  'not_found',
])

/** Runs the race; what is wrong with its outcome, nothing when all is well. */
export async function race(track: Track, field: readonly Contender[]): Promise<string[]> {
  const { deps, spaceId, agent } = track
  const page = await deps.database.transaction((tx) =>
    deps.content.writer.write(
      tx,
      { action: 'create', type: 'page', space_id: spaceId, fields: { title: 'Raced', body } },
      { actor: owner },
    ),
  )
  const draft = await deps.changes.proposeChange(agent, {
    space_id: spaceId,
    entity_type: 'page',
    action: 'update',
    entity_id: page.id,
    payload: drafted,
    reason: '',
    turn: null,
    tool_use_id: null,
  })

  const answers = await Promise.allSettled(field.map((one) => compete(track, one, page, draft)))
  return [
    ...problemsOfAnswers(field, answers),
    ...(await problemsOfState(track, page, draft, grantedOf(field, answers))),
  ]
}

async function compete(
  { deps, agent }: Track,
  one: Contender,
  page: EntityRow,
  draft: PendingChange,
): Promise<PendingChange | EntityRow> {
  const {
    database,
    changes: { decisions },
    content: { writer },
  } = deps
  const { id, payload_sha256 } = draft
  const approve = (request: object) => decisions.approve(owner, id, { payload_sha256, ...request })
  const target = { type: 'page', space_id: page.space_id, id: page.id, version: 1 }

  switch (one) {
    case 'approve':
      return await approve({})
    case 'approve title':
      return await approve({ fields: ['title'] })
    case 'approve body':
      return await approve({ fields: ['body'] })
    case 'approve a hunk':
      return await approve({ fields: ['body'], hunks: { body: [1] } })
    case 'edit and approve':
      return await approve({ edited: { title: 'Edited' } })
    case 'edit otherwise and approve':
      return await approve({ edited: { body: 'Edited\n' } })
    case 'reject':
      return await decisions.reject(owner, id)
    case 'review again':
      return await decisions.reviewAgain(owner, id)
    case 'retract':
      return await deps.changes.retractChange(agent, id)
    case 'revise':
      return await deps.changes.proposeChange(agent, {
        space_id: page.space_id,
        entity_type: 'page',
        action: 'update',
        supersedes: id,
        payload: { title: 'Revised' },
        reason: '',
        turn: null,
        tool_use_id: null,
      })
    case 'owner edits': {
      const fields = { body: 'One\n\nTwo and more\n\nThree\n' }
      return await database.transaction((tx) =>
        writer.write(tx, { action: 'update', ...target, fields }, { actor: owner }),
      )
    }
    case 'owner deletes':
      return await database.transaction((tx) =>
        writer.write(tx, { action: 'delete', ...target }, { actor: owner }),
      )
  }
}

type Answers = PromiseSettledResult<PendingChange | EntityRow>[]

function problemsOfAnswers(field: readonly Contender[], answers: Answers): string[] {
  const problems: string[] = []
  const outcomes = new Map<string, Set<string>>()
  for (const [index, answer] of answers.entries()) {
    const one = field[index]!
    if (answer.status === 'fulfilled') {
      const { id, status, version } = answer.value as Partial<PendingChange & EntityRow>
      outcomes.set(one, (outcomes.get(one) ?? new Set()).add(`${id} ${status ?? version}`))
    } else if (!(answer.reason instanceof AppError && expected.has(answer.reason.code))) {
      problems.push(`${one} failed with ${String(answer.reason)}`)
    }
  }
  for (const [one, different] of outcomes) {
    if (different.size > 1) problems.push(`${one} had ${different.size} different answers`)
  }
  // Of the decisions on the draft itself one wins; a merge of the draft closes it as well.
  const deciding = [...outcomes.keys()].filter((one) => !one.startsWith('owner '))
  if (deciding.length > 1) problems.push(`more than one was granted: ${deciding.join(', ')}`)
  return problems
}

const grantedOf = (field: readonly Contender[], answers: Answers) =>
  answers.some(({ status }, index) => status === 'fulfilled' && !field[index]!.startsWith('owner '))

async function problemsOfState(
  { deps: { database, kinds }, spaceId }: Track,
  page: EntityRow,
  draft: PendingChange,
  granted: boolean,
): Promise<string[]> {
  const problems: string[] = []
  const row = await createEntitiesRepo(database).findWithinSpaces(kinds.get('page'), [spaceId], page.id)
  const audit = (
    await createAuditRepo(database).list({
      space_id: spaceId,
      entity_id: page.id,
      before_seq: null,
      limit: 100,
    })
  ).toReversed()
  const changes = await createPendingChangeListsRepo(database).listChangeset([spaceId], draft.changeset_id)
  const approved = changes.filter(({ status }) => status === 'approved')
  const applied = audit.filter(({ pending_change_id }) => pending_change_id !== null)

  if (approved.length > 1) problems.push(`${approved.length} approved`)
  if (applied.length !== approved.length)
    problems.push(`${applied.length} effects of ${approved.length} approvals`)
  if (applied[0] && applied[0].pending_change_id !== approved[0]?.id)
    problems.push('the wrong draft in the audit')
  if (row?.version !== audit.length) problems.push(`version ${row?.version} after ${audit.length} audit rows`)

  const folded: Record<string, unknown> = Object.assign({}, ...audit.map(({ after }) => after))
  for (const name of ['title', 'body']) {
    if (row?.[name] !== folded[name]) problems.push(`${name} is not what the audit says`)
  }
  const own = changes.find(({ id }) => id === draft.id)!
  if ((own.status === 'pending') === granted && own.status !== 'obsolete')
    problems.push(`${own.status}, and granted: ${granted}`)
  for (const change of changes) {
    const next = changes.find(({ id }) => id === change.superseded_by)
    if (change.superseded_by && next?.supersedes !== change.id)
      problems.push('a successor that names another')
    if (change.status === 'superseded' && !next) problems.push('superseded by nothing')
  }
  if (changes.filter(({ status }) => status === 'pending').length > 1) problems.push('two drafts wait')
  return problems
}
