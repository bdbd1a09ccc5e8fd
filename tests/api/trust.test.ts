// Who vouches for what comes in from outside: said once for an import, a mail account or a source.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { gatherProvenance } from '../../lib/changes/grounding/provenance.ts'
import { createImportFilesRepo } from '../../lib/db/repos/import_files.ts'
import { welcome } from '../../lib/files/import/welcome.ts'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent } from '../helpers/world.ts'
import { deliver } from '../outside/mail/deliver.ts'
import { writeMail } from '../outside/mail/write-mail.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const { id: space_id } = (await owner.post('/api/spaces').send({ name: 'Notes' })).body
const at = `/api/spaces/${space_id}/trust`

/** Imports one file through a job, and returns the id of what it made. */
async function importFile(
  path: string,
  text: string,
  job: { source: string; trust?: string },
): Promise<string> {
  const { body } = await owner.post(`/api/spaces/${space_id}/imports`).send(job)
  const files = [{ path, base64: Buffer.from(text).toString('base64') }]
  await owner.post(`/api/imports/${body.id}/files`).send({ files })
  await owner.post(`/api/imports/${body.id}/start`)
  await deps.content.imports.idle()
  const [file] = await createImportFilesRepo(deps.database).listByPath({ space_id, source: job.source }, [
    path,
  ])
  return file!.entity_id
}

const untrusted = async (entity_type: string, entity_id: string) => {
  const source = { entity_type, entity_id, title: '', given_by: 'read' as const, texts: [''] }
  const { sources } = await deps.database.transaction((tx) =>
    gatherProvenance(tx, deps, {
      kind: deps.kinds.get('task'),
      action: 'create',
      space_id,
      entity_id,
      row: null,
      payload: { title: 'x' },
      given: { sources: [source], said: [] },
      languages: ['english'],
    }),
  )
  return sources[0]?.untrusted
}

test('notes of an import that the owner vouches for are trusted, and saved web pages among them are not', async () => {
  const job = { source: 'vault', trust: 'own' }
  const note = await importFile('Lamp.md', 'It turns.', job)
  const clipping = await importFile('Saved.md', '---\nsource: "https://example.org/a"\n---\nRead me.', job)
  const table = await importFile('Data.json', '{}', job)
  const page = await importFile('Manual.rtf', '{\\rtf1 x}', job)

  expect(await untrusted('page', note)).toBe(false)
  expect((await owner.get(`/api/pages/${clipping}`)).body.origin).toBe('web')
  expect(await untrusted('page', clipping)).toBe(true)
  expect(await untrusted('source_doc', table)).toBe(false)
  expect(await untrusted('source_doc', page)).toBe(true)
})

test('the guide of Void is not among the imports', async () => {
  const { deps, owner } = await buildApp()
  await welcome({ database: deps.database, ...deps.content })
  const [space] = (await owner.get('/api/spaces').expect(200)).body.items

  expect((await owner.get(`/api/spaces/${space.id}/trust`).expect(200)).body.items).toEqual([])
})

test('an import that nobody vouches for is from outside until the owner says otherwise', async () => {
  const note = await importFile('Horn.md', 'It sounds.', { source: 'theirs' })
  const origin = { kind: 'import', key: 'theirs' }

  expect(await untrusted('page', note)).toBe(true)
  expect((await owner.put(at).send({ ...origin, trust: 'own' })).body).toEqual({
    ...origin,
    name: 'theirs',
    trust: 'own',
  })
  expect(await untrusted('page', note)).toBe(false)
  await owner.put(at).send({ ...origin, trust: 'outside' })
  expect(await untrusted('page', note)).toBe(true)
})

test('importing again does not undo what the owner said', async () => {
  const first = await importFile('Rope.md', 'Check it.', { source: 'rope', trust: 'own' })
  await owner.put(at).send({ kind: 'import', key: 'rope', trust: 'outside' })
  await importFile('Rope.md', 'Check it twice.', { source: 'rope', trust: 'own' })

  expect(await untrusted('page', first)).toBe(true)
  expect((await owner.get(at)).body.items).toContainEqual({
    ...{ kind: 'import', key: 'rope', name: 'rope', trust: 'outside' },
  })
})

test('a message of an account, and what a source answered, are trusted where the owner vouches for those', async () => {
  const [account, source, result] = Array.from({ length: 3 }, () => randomUUID())
  const message = await deliver(deps, space_id, writeMail({ subject: 'To myself', body: 'Buy oil.' }))
  const now = new Date()
  const { database } = deps
  await database.query(
    `insert into mail_accounts (id, space_id, address, host, port, security, username, password, created_at, updated_at)
     values ($1, $2, 'me@example.org', 'example.org', 993, 'tls', 'me', '', $3, $3)`,
    [account, space_id, now],
  )
  await database.query(
    `insert into sources (id, space_id, name, transport, url, args, env, headers, enabled, created_at, updated_at)
     values ($1, $2, 'Diary', 'http', 'http://127.0.0.1:9/mcp', '{}', '{}', '{}', true, $3, $3)`,
    [source, space_id, now],
  )
  await database.query(
    `insert into tool_results (id, space_id, source_id, source_name, tool, arguments, text, cut, failed, agent_id,
       created_at)
     values ($1, $2, $3, 'Diary', 'today', '{}', 'Tea.', false, false, (select id from agents limit 1), $4)`,
    [result, space_id, source, now],
  )
  await database.query('update mail_messages set account_id = $2 where id = $1', [message, account])

  expect(await untrusted('tool_result', result!)).toBe(true)
  expect(await untrusted('mail_message', message)).toBe(true)
  await owner.put(at).send({ kind: 'source', key: source, trust: 'own' }).expect(200)
  await owner.put(at).send({ kind: 'mail', key: account, trust: 'own' }).expect(200)
  expect(await untrusted('tool_result', result!)).toBe(false)
  expect(await untrusted('mail_message', message)).toBe(false)
})

test('sources and mail accounts are listed beside imports, from outside at first', async () => {
  const source = { name: 'Calendar', transport: 'http', url: 'http://127.0.0.1:9/mcp' }
  const { id } = (await owner.post(`/api/spaces/${space_id}/sources`).send(source)).body

  expect((await owner.get(at)).body.items).toContainEqual({
    ...{ kind: 'source', key: id, name: 'Calendar', trust: 'outside' },
  })
})

test('only the owner says so, and only of what there is', async () => {
  const { token } = await makeAgent(void_, { slug: 'scribe' })
  const body = { kind: 'import', key: 'rope', trust: 'own' }

  expect((await void_.as(token).put(at).send(body)).status).toBe(403)
  expect((await void_.as(token).get(at)).status).toBe(403)
  expect((await owner.put(at).send({ ...body, key: 'nothing' })).status).toBe(404)
  expect((await owner.put(at).send({ ...body, trust: 'mine' })).status).toBe(400)
})
