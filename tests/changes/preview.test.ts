// "As if": what a preview shows is what stands there after the approval, and until then nothing has changed.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EntityPreview, PendingChange, Preview } from '../../lib/contract/changes/pending-change.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import type { Database, Tx } from '../../lib/db/pool.ts'
import { createLinksRepo } from '../../lib/db/repos/links.ts'
import { buildApp } from '../helpers/build-app.ts'
import { beginTurn, type Propose } from '../helpers/one-turn.ts'
import { testDb } from '../helpers/test-db.ts'
import { makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}`

const preview = async (path: string): Promise<Preview> => {
  const { status, body } = await owner.get(`${path}/preview`)
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}

/** Everything of the database that an approval may touch. */
async function snapshot(): Promise<unknown> {
  const tables = [
    'pages',
    'tasks',
    'projects',
    'links',
    'entity_names',
    'audit_log',
    'audit_head',
    'pending_changes',
    'chunks',
  ]
  const rows: Record<string, string[]> = {}
  for (const table of tables) {
    const found = await deps.database.query<{ row: string }>(
      `select ${table}::text as row from ${table} order by 1`,
    )
    rows[table] = found.rows.map(({ row }) => row)
  }
  return rows
}

async function stateOf({ entity_type, entity_id }: EntityPreview): Promise<EntityPreview> {
  const path = `/api/${kinds.get(entity_type).path}/${entity_id}`
  const { body: entity } = await owner.get(path)
  const gone = entity.deleted_at !== null
  const links = gone
    ? { links: [], truncated: false, label_first: false, backlinks: [] }
    : (await owner.get(`${path}/links`)).body
  const place = entity_type === 'page' && !gone ? (await owner.get(`${path}/place`)).body : { below: [] }
  const tasks = (await owner.get(`${at}/tasks?limit=200`)).body.items
    .filter((task: { project_id: string }) => entity_type === 'project' && task.project_id === entity_id)
    .map(({ id, title, status, due_on }: EntityPreview['tasks'][number]) => ({ id, title, status, due_on }))
    .reverse()
  const children = place.below.map(({ id, title }: { id: string; title: string }) => ({ id, title }))
  return { entity_type, entity_id, entity, ...links, tasks, children }
}

const timeless = ({ entity: { created_at, updated_at, deleted_at, ...entity }, ...rest }: EntityPreview) => ({
  ...rest,
  // Of something in the trash the page's children are listed no more.
  ...(deleted_at ? { children: [], backlinks: [] } : {}),
  entity: { ...entity, deleted: deleted_at !== null },
})

async function approveAll(changes: readonly PendingChange[]) {
  const payloads = Object.fromEntries(changes.map(({ id, payload_sha256 }) => [id, payload_sha256]))
  return await owner.post(`/api/changesets/${changes[0]!.changeset_id}/approve`).send({ payloads })
}

const unresolved = async () =>
  new Set(
    (await createLinksRepo(deps.database).listUnresolved(world.space.id)).map(
      ({ entity_id, name }) => `${entity_id} ${name}`,
    ),
  )
const namesOf = (links: Preview['broken'], than: string[]) =>
  links
    .filter(({ entity_id }) => !than.includes(entity_id))
    .map(({ entity_id, name }) => `${entity_id} ${name}`)
    .toSorted()

const title = fc.constantFrom('Alpha', 'Beta', 'Gamma', 'Delta')
const body = fc.array(fc.constantFrom('[[Alpha]]', '[[Beta|b]]', '[[Gamma#Top]]', '[[Nobody]]', 'words'), {
  maxLength: 4,
})
const step = fc.oneof(
  fc.record({ do: fc.constant('create page' as const), title, body }),
  fc.record({ do: fc.constant('create project with task' as const), title }),
  fc.record({ do: fc.constant('rewrite' as const), which: fc.nat(2), body }),
  fc.record({ do: fc.constant('rename' as const), which: fc.nat(2), title }),
  fc.record({ do: fc.constant('move' as const), which: fc.nat(2) }),
  fc.record({ do: fc.constant('delete' as const), which: fc.nat(2) }),
)

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

async function propose(draft: Propose, one: Step, pages: { id: string }[]): Promise<PendingChange[]> {
  const page = 'which' in one ? pages[one.which]! : undefined
  const update = (payload: Record<string, unknown>) =>
    draft({ entity_type: 'page', action: 'update', entity_id: page!.id, payload })
  switch (one.do) {
    case 'create page':
      return [
        await draft({
          entity_type: 'page',
          action: 'create',
          payload: { title: one.title, body: one.body.join('\n\n'), parent_id: pages[0]!.id },
        }),
      ]
    case 'create project with task': {
      const project = await draft({ entity_type: 'project', action: 'create', payload: { title: one.title } })
      const payload = { title: 'A task of it', project_id: project.entity_id }
      return [project, await draft({ entity_type: 'task', action: 'create', payload })]
    }
    case 'rewrite':
      return [await update({ body: `${one.body.join('\n\n')}\n\nRewritten.` })]
    case 'rename':
      return [await update({ title: `${one.title} anew` })]
    case 'move':
      return [await update({ position: 7, body: 'Moved. [[Alpha]]' })]
    case 'delete':
      return [await draft({ entity_type: 'page', action: 'delete', entity_id: page!.id })]
  }
}

test('the previewed state of a changeset is the state after its approval, and a preview changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      // Each run begins with the same names free.
      for (const { id } of (await owner.get(`${at}/pages?limit=200`)).body.items)
        await owner.delete(`/api/pages/${id}`)
      const pages = []
      for (const name of ['Alpha', 'Beta', 'Gamma']) {
        pages.push(
          (await owner.post(`${at}/pages`).send({ title: name, body: '[[Beta]] [[Delta]] [[Alpha anew]]' }))
            .body,
        )
      }
      const draft = await beginTurn(void_, world.space.id)
      const drafts = new Map<string, PendingChange>()
      for (const one of steps) {
        for (const change of await propose(draft, one, pages)) drafts.set(change.entity_id, change)
      }
      const changes = [...drafts.values()]
      const before = await snapshot()
      const brokenBefore = await unresolved()

      const previewed = await owner.get(`/api/changesets/${changes[0]!.changeset_id}/preview`)

      expect(await snapshot()).toEqual(before)
      const approved = await approveAll(changes)
      expect(approved.status).toBe(previewed.status)
      // A page below one that is deleted in the same changeset is refused, in both.
      expect(approved.body.error?.details).toEqual(previewed.body.error?.details)
      if (approved.status !== 200) return
      const shown: Preview = previewed.body
      const after = await Promise.all(shown.entities.map(stateOf))
      expect(shown.entities.map(timeless)).toEqual(after.map(timeless))
      const brokenAfter = await unresolved()
      const own = changes.map(({ entity_id }) => entity_id)
      const elsewhere = (keys: Set<string>, others: Set<string>) =>
        [...keys].filter((key) => !others.has(key) && !own.includes(key.slice(0, 36))).toSorted()
      expect(namesOf(shown.broken, own)).toEqual(elsewhere(brokenAfter, brokenBefore))
      expect(namesOf(shown.mended, own)).toEqual(elsewhere(brokenBefore, brokenAfter))
    }),
    { numRuns: 30, endOnFailure: true },
  )
}, 120_000)

test('a single draft is previewed with what links to it, and refused as its approval would be', async () => {
  const { body: page } = await owner.post(`${at}/pages`).send({ title: 'Harbour', body: 'See [[Mole]].' })
  const { body: mole } = await owner.post(`${at}/pages`).send({ title: 'Mole', body: '' })
  const draft = await beginTurn(void_, world.space.id)
  const renamed = await draft({
    entity_type: 'page',
    action: 'update',
    entity_id: mole.id,
    payload: { title: 'Pier' },
  })
  const path = `/api/pending-changes/${renamed.id}`

  const shown = await preview(path)
  await owner.patch(`/api/pages/${mole.id}`).send({ version: 1, body: 'moved on' })
  const stale = await owner.get(`${path}/preview`)
  await owner.post(`${path}/reject`).send({})
  const decided = await owner.get(`${path}/preview`)

  const backlinks = [{ entity_type: 'page', entity_id: page.id, title: 'Harbour' }]
  expect(shown.entities).toMatchObject([{ entity: { title: 'Pier', version: 2 }, backlinks }])
  expect(shown.broken).toEqual([])
  expect([stale.body.error.code, decided.body.error.code]).toEqual(['stale_version', 'already_decided'])
})

test.each([50, 120_000])('of a text of %i characters, nothing is indexed', async (length) => {
  const database = await testDb()
  const changedChunks: string[] = []
  const watched: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((tx) => {
        const query: Tx['query'] = (text, values) => {
          if (/^(insert into|update|delete from|with) chunks/.test(text)) changedChunks.push(text)
          return tx.query(text, values)
        }
        return work({ ...tx, query })
      }),
  }
  const watching = await buildApp({ database: watched })
  const { space } = await makeWorld(watching)
  const { body: page } = await watching.owner
    .post(`/api/spaces/${space.id}/pages`)
    .send({ title: 'Log', body: '' })
  const draft = await beginTurn(watching, space.id)
  const { id } = await draft({
    entity_type: 'page',
    action: 'update',
    entity_id: page.id,
    payload: { body: 'word '.repeat(length / 5) },
  })
  expect(changedChunks).not.toEqual([])

  changedChunks.length = 0
  await watching.owner.get(`/api/pending-changes/${id}/preview`).expect(200)

  expect(changedChunks).toEqual([])
})
