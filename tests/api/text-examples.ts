// For each route that takes text requests that work, which together have every field that can hold text. Each is made
// anew when it is asked for, because most can be sent only once.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuid } from 'uuid'
import { ownerToken, type TestApp } from '../helpers/build-app.ts'
import { origin, type PasskeyBrowser, passkeyBrowser } from '../helpers/passkey-browser.ts'
import { makeSoftwareKey } from '../helpers/software-key.ts'
import { makeAgent } from '../helpers/world.ts'

export type Example = {
  path: string
  body?: Record<string, unknown>
  query?: Record<string, string>
  /** Sent by an agent and not by the owner. */
  byAgent?: boolean
  /** Sent by it and not by the owner's token. */
  browser?: PasskeyBrowser
}

/** By method and path; a further one for the same route has `#` and a name behind it. */
export type Examples = Record<string, () => Promise<Example>>

const anyone = '01900000-0000-7000-8000-000000000000'
const passphrase = 'a passphrase of the examples'
const client = { oauth_client_id: 'void', oauth_client_secret: 'secret:tea' }
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const base64 = Buffer.from('# A file').toString('base64')

export async function makeExamples(void_: TestApp) {
  const { owner, deps } = void_
  const { agentId, token } = await makeAgent(void_, { slug: 'scribe' })
  const agent = void_.as(token)
  const { id: space } = (await owner.post('/api/spaces').send({ name: 'Dirty' })).body
  const inSpace = `/api/spaces/${space}`
  const pageInView = { entityType: 'page', entityId: anyone, selection: 'some words' }
  const tasksInView = {
    entityType: 'view',
    entityId: 'tasks',
    q: 'lamp',
    filters: { status: 'open' },
    rows: [{ kind: 'task', id: anyone }],
    selected: [{ kind: 'task', id: anyone }],
  }
  const ofCompanion = { instructions: 'Be brief.', model: 'small', tools: ['search'] }
  const companionId = (await owner.post('/api/agents').send({ name: 'Clerk', tier: 'read' })).body.id
  let made = 0
  const name = () => `Name ${++made}`
  const routine = () => ({
    name: name(),
    instruction: 'Look round.',
    when: { schedule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0', time_zone: 'Europe/Berlin' },
    model: 'small',
    quiet_hours: { from: '22:00', until: '06:00' },
  })

  /** A line of the memory page at an address. */
  const remembered = async (path: string): Promise<string> => {
    const { id, version } = (await owner.get(path)).body
    const text = `The lamp has ${name()}`
    await owner.patch(`/api/pages/${id}`).send({ version, body: `- ${text}\n` })
    return text
  }

  const page = async () =>
    (await owner.post(`${inSpace}/pages`).send({ title: name(), body: 'One line.' })).body
  const draft = async () => {
    const { id } = await page()
    const update = { version: 1, title: name(), body: 'Another line.', reason: 'Asked.' }
    return (await agent.patch(`/api/pages/${id}`).send(update)).body
  }
  /** One that both sides changed in one place. */
  const mergedDraft = async () => {
    const { id, entity_id } = await draft()
    await owner.patch(`/api/pages/${entity_id}`).send({ version: 1, body: 'A third line.' })
    return (await owner.post(`/api/pending-changes/${id}/review-again`)).body
  }
  const source = async (transport: 'stdio' | 'http') => {
    const place = transport === 'stdio' ? { command: 'x', unconfined: true } : { url: 'http://x.example' }
    const body = { name: name(), transport, ...place }
    return (await owner.post(`${inSpace}/sources`).send(body)).body
  }
  const mailAccount = () => ({
    ...{ address: `keeper${++made}@b.example`, host: 'b.example', port: 993, security: 'tls' },
    password: 'secret:tea',
  })
  const mailOAuth = {
    ...{ token_url: 'https://b.example/token', client_id: 'void', scope: 'imap' },
    client_secret: 'secret:tea',
  }
  const settling = async () => {
    const { id } = await page()
    await owner.patch(`/api/pages/${id}`).send({ version: 1, title: name() })
    await owner.patch(`/api/pages/${id}`).send({ version: 2, title: name() })
    const body = { settle: { version: 3, fields: { title: 'Settled' } } }
    return { id, body }
  }

  const own: Examples = {
    'post /api/session': async () => ({ path: '/api/session', body: { token: ownerToken } }),
    'post /api/session/confirm': async () => ({
      path: '/api/session/confirm',
      body: { token: ownerToken },
      browser: await signedIn(),
    }),
    'post /api/passkeys': async () => {
      const browser = await signedIn()
      const credential = makeSoftwareKey({ origin }).create(await browser.offer())
      return { path: '/api/passkeys', body: { name: name(), credential }, browser }
    },
    'post /oauth/register': async () => ({
      path: '/oauth/register',
      body: { client_name: name(), redirect_uris: ['http://127.0.0.1/back'], contact: 'The keeper' },
    }),
    'post /api/spaces': async () => ({
      path: '/api/spaces',
      body: { name: name(), description: 'About it' },
    }),
    'put /api/model': async () => ({
      path: '/api/model',
      body: { base_url: null, model: 'small', small_model: 'smaller', max_tokens: 4096, api_key: 'Lapsang' },
    }),
    'put /api/secrets/:name': async () => ({ path: '/api/secrets/tea', body: { value: 'Lapsang' } }),
    'post /api/secrets/export': async () => ({ path: '/api/secrets/export', body: { passphrase } }),
    'post /api/secrets/import': async () => ({
      path: '/api/secrets/import',
      body: { passphrase, file: (await owner.post('/api/secrets/export').send({ passphrase })).body },
    }),
    'post /api/spaces/:space_id/sources': async () => ({
      path: `${inSpace}/sources`,
      body: {
        name: name(),
        transport: 'stdio',
        command: 'x',
        args: ['a'],
        env: { A: 'b' },
        unconfined: true,
      },
    }),
    'post /api/spaces/:space_id/sources #http': async () => ({
      path: `${inSpace}/sources`,
      body: { name: name(), transport: 'http', url: 'http://x.example', headers: { A: 'b' }, ...client },
    }),
    'patch /api/sources/:id': async () => ({
      path: `/api/sources/${(await source('stdio')).id}`,
      body: { name: name(), command: 'y', args: ['a'], env: { A: 'b' } },
    }),
    'patch /api/sources/:id #http': async () => ({
      path: `/api/sources/${(await source('http')).id}`,
      body: { url: 'http://y.example', headers: { A: 'b' }, ...client },
    }),
    'post /api/sources/:id/tools/use-proposed': async () => {
      const { id } = await source('http')
      return { path: `/api/sources/${id}/tools/use-proposed`, body: { tools: [await sourceTool(id)] } }
    },
    'post /api/spaces/:space_id/mail-accounts': async () => ({
      path: `${inSpace}/mail-accounts`,
      body: {
        ...{ ...mailAccount(), username: 'keeper', folders: ['INBOX'], aliases: ['other@b.example'] },
        oauth: mailOAuth,
      },
    }),
    'post /api/mail-accounts/:id/missing-folders': async () => {
      const { body: account } = await owner.post(`${inSpace}/mail-accounts`).send(mailAccount())
      const missing = JSON.stringify([{ path: 'Old', messages: 1, proposed: null }])
      await deps.database.query('update mail_accounts set missing_folders = $2 where id = $1', [
        account.id,
        missing,
      ])
      return {
        path: `/api/mail-accounts/${account.id}/missing-folders`,
        body: { path: 'Old', action: 'replace', folder: 'New' },
      }
    },
    'get /api/external-image': async () => ({
      path: '/api/external-image',
      query: { url: 'https://tides.example/a.png' },
    }),
    'get /api/mail-server': async () => ({
      path: '/api/mail-server',
      query: { address: 'keeper@b.example' },
    }),
    'patch /api/mail-accounts/:id': async () => ({
      path: `/api/mail-accounts/${(await owner.post(`${inSpace}/mail-accounts`).send(mailAccount())).body.id}`,
      body: {
        ...{ ...mailAccount(), username: 'keeper', folders: ['INBOX'], aliases: ['other@b.example'] },
        oauth: mailOAuth,
      },
    }),
    'post /api/spaces/:space_id/glance': async () => ({
      path: `${inSpace}/glance`,
      body: {
        view: pageInView,
        image: { media_type: 'image/png', data: pixel },
      },
    }),
    'patch /api/spaces/:space_id/glance-settings': async () => ({
      path: `${inSpace}/glance-settings`,
      body: {
        mute: { type: 'sender', value: 'a@b.example' },
        unmute: { type: 'sender', value: 'c@d.example' },
      },
    }),
    'post /api/spaces/:space_id/memory/purge': async () => ({
      path: `${inSpace}/memory/purge`,
      body: { text: await remembered(`${inSpace}/memory`) },
    }),
    'post /api/memory/purge': async () => ({
      path: '/api/memory/purge',
      body: { text: await remembered('/api/memory') },
    }),
    'post /api/spaces/:space_id/routines': async () => ({ path: `${inSpace}/routines`, body: routine() }),
    'post /api/spaces/:space_id/routines #event': async () => ({
      path: `${inSpace}/routines`,
      body: { ...routine(), when: { event: 'mail', filter: 'keeper' } },
    }),
    'patch /api/routines/:id #event': async () => ({
      path: `/api/routines/${(await owner.post(`${inSpace}/routines`).send(routine())).body.id}`,
      body: { when: { event: 'mail', filter: 'keeper' } },
    }),
    'patch /api/routines/:id': async () => ({
      path: `/api/routines/${(await owner.post(`${inSpace}/routines`).send(routine())).body.id}`,
      body: routine(),
    }),
    'get /api/spaces/:space_id/mail-threads': async () => ({
      path: `${inSpace}/mail-threads`,
      query: { q: 'a', from: 'b', subject: 'c' },
    }),
    'get /api/spaces/:space_id/mail-threads #next': async () => ({
      path: `${inSpace}/mail-threads`,
      query: { cursor: anyone },
    }),
    'get /api/spaces/:space_id/research': async () => ({
      path: `${inSpace}/research`,
      query: { q: 'a', label: 'a' },
    }),
    'patch /api/research/:run_id': async () => ({
      path: `/api/research/${await plannedResearch()}`,
      body: { title: name(), labels: ['a label'] },
    }),
    'post /api/research/:run_id/resume': async () => ({
      path: `/api/research/${await plannedResearch()}/resume`,
      body: { plan: { sub_questions: ['How often does the lamp turn?'] } },
    }),
    'patch /api/spaces/:space_id': async () => ({
      path: `/api/spaces/${(await owner.post('/api/spaces').send({ name: name() })).body.id}`,
      body: { name: name(), description: 'About it', instructions: 'Be brief.', emoji: '📚', version: 1 },
    }),
    'patch /api/spaces/:space_id/note-settings': async () => ({
      path: `${inSpace}/note-settings`,
      body: {
        ...{ templates_page: 'Templates', daily_title: 'YYYY-MM-DD' },
        ...{ daily_parent: 'Daily notes', daily_template: 'Daily note' },
      },
    }),
    'post /api/spaces/:space_id/daily-note': async () => ({
      path: `${inSpace}/daily-note`,
      body: { day: '2026-11-24', time: '10:00' },
    }),
    ...Object.fromEntries(
      (
        [
          ['', { add: { name: 'rating', value: 'good' } }],
          [' #list', { add: { name: 'ports', value: ['A', 'B'] } }],
          [' #set', { set: { name: 'known', value: 'good' } }],
          [' #setlist', { set: { name: 'known', value: ['A'] } }],
          [' #rename', { rename: { name: 'known', to: 'other' } }],
          [' #remove', { remove: { name: 'known' } }],
        ] as const
      ).map(([which, edit]) => [
        `patch /api/pages/:id/properties${which}`,
        async () => {
          const body = '---\nknown: 1\n---\n'
          const { id } = (await owner.post(`${inSpace}/pages`).send({ title: name(), body })).body
          return { path: `/api/pages/${id}/properties`, body: { version: 1, edits: [edit] } }
        },
      ]),
    ),
    'get /api/spaces/:space_id/page-list': async () => ({
      path: `${inSpace}/page-list`,
      query: {
        tag: 'garden',
        where: JSON.stringify({ property: 'rating', op: 'is', value: 'good' }),
        sort: JSON.stringify([{ property: 'rating' }]),
        columns: JSON.stringify(['rating']),
      },
    }),
    'get /api/spaces/:space_id/page-titles': async () => ({
      path: `${inSpace}/page-titles`,
      query: { q: 'a' },
    }),
    'post /api/spaces/:space_id/companion/turn': async () => ({
      path: `${inSpace}/companion/turn`,
      body: {
        text: 'What is said of the lamp?',
        screenshot: pixel,
        view: pageInView,
        desk: {
          active: 'left',
          tabs: [
            { side: 'left', shown: true, kind: 'page', id: anyone },
            { side: 'right', shown: true, view: 'search', q: 'lamp' },
          ],
        },
      },
    }),
    'post /api/spaces/:space_id/companion/turn #list': async () => ({
      path: `${inSpace}/companion/turn`,
      body: { text: 'What is said of these?', view: tasksInView },
    }),
    'patch /api/turns/:turn_id #list': async () => ({
      path: `/api/turns/${await queuedTurn()}`,
      body: { text: 'Another question', view: tasksInView },
    }),
    'get /api/turns/:turn_id/events': async () => ({
      path: `/api/turns/${await endedTurn()}/events`,
      query: { after: '1' },
    }),
    'patch /api/turns/:turn_id': async () => ({
      path: `/api/turns/${await queuedTurn()}`,
      body: { text: 'Another question', view: pageInView },
    }),
    'post /api/spaces/:space_id/text-links': async () => ({
      path: `${inSpace}/text-links`,
      body: { text: 'See [[The lamp]].' },
    }),
    'get /api/spaces/:space_id/conversations': async () => ({
      path: `${inSpace}/conversations`,
      query: { q: 'a', label: 'a' },
    }),
    'patch /api/spaces/:space_id/conversations/:id': async () => ({
      path: `${inSpace}/conversations/${(await owner.post(`${inSpace}/conversations`)).body.id}`,
      body: { title: name(), model: 'small', labels: ['a label'] },
    }),
    'patch /api/messages/:id': async () => ({
      path: `/api/messages/${await answered()}`,
      body: { body: 'In other words.' },
    }),
    'put /api/time-zone': async () => ({ path: '/api/time-zone', body: { time_zone: 'Asia/Tokyo' } }),
    'post /api/messages/:id/page': async () => ({
      path: `/api/messages/${await answered()}/page`,
      body: { title: name() },
    }),
    'get /api/spaces/:space_id/task-groups': async () => ({ path: `${inSpace}/task-groups` }),
    'post /api/spaces/:space_id/import': async () => ({
      path: `${inSpace}/import`,
      body: { source: name(), files: [{ path: 'a.md', base64 }], gone: ['b.md'] },
    }),
    'post /api/spaces/:space_id/import/survey': async () => ({
      path: `${inSpace}/import/survey`,
      body: { source: name(), present: ['a.md'] },
    }),
    'post /api/spaces/:space_id/imports': async () => ({
      path: `${inSpace}/imports`,
      body: { source: name(), root: 'a.zip' },
    }),
    'put /api/spaces/:space_id/folder': async () => ({
      path: `${inSpace}/folder`,
      body: { path: mkdtempSync(join(tmpdir(), 'void-dirty-')), own: ['Journal/**'], dry_run: true },
    }),
    'put /api/spaces/:space_id/trust': async () => {
      const key = name()
      await owner.post(`${inSpace}/imports`).send({ source: key })
      return { path: `${inSpace}/trust`, body: { kind: 'import', key, trust: 'own' } }
    },
    'post /api/imports/:id/files': async () => ({
      path: `/api/imports/${await importJob()}/files`,
      body: { files: [{ path: 'a.md', base64 }] },
    }),
    'post /api/imports/:id/file': async () => ({
      path: `/api/imports/${await importJob()}/file`,
      query: { path: 'a.md' },
    }),
    'put /api/spaces/:space_id/captures/:id': async () => ({
      path: `${inSpace}/captures/${uuid()}`,
      body: { kind: 'page', text: '# A note\nIts text.' },
    }),
    'put /api/spaces/:space_id/captures/:id #task': async () => ({
      path: `${inSpace}/captures/${uuid()}`,
      body: { kind: 'task', text: 'Order oil', due_on: '2030-05-03', recurrence: 'FREQ=WEEKLY' },
    }),
    'put /api/spaces/:space_id/captures/:id #ref': async () => ({
      path: `${inSpace}/captures/${uuid()}`,
      body: {
        ...{ kind: 'ref', title: 'A page', url: 'https://example.org/', text: 'Mine.' },
        html: '<p>Words of a page.</p>',
      },
    }),
    'post /api/spaces/:space_id/attachments': async () => ({
      path: `${inSpace}/attachments`,
      query: { name: `${name()}.png` },
    }),
    'get /api/search': async () => ({
      path: '/api/search',
      query: { q: 'lamp', kinds: 'page', status: 'open', space_id: space },
    }),
    'post /api/search': async () => ({
      path: '/api/search',
      body: { q: 'lamp', kinds: 'page', status: 'open', space_id: space },
    }),
    'get /api/suggest': async () => ({ path: '/api/suggest', query: { q: 'a', space_id: space } }),
    'post /api/pending-changes/:id/approve': async () => {
      const { id, payload_sha256 } = await draft()
      const body = { payload_sha256, fields: ['title', 'body'], hunks: { body: [0] } }
      return { path: `/api/pending-changes/${id}/approve`, body }
    },
    'post /api/pending-changes/:id/approve #edited': async () => ({
      path: `/api/pending-changes/${(await draft()).id}/approve`,
      body: { edited: { title: name() } },
    }),
    'post /api/pending-changes/:id/approve #merged': async () => ({
      path: `/api/pending-changes/${(await mergedDraft()).id}/approve`,
      body: { choices: { '0': 'draft' } },
    }),
    'post /api/pending-changes/:id/reject': async () => {
      const { id, payload_sha256 } = await draft()
      const keep = { fields: ['title', 'body'], hunks: { body: [] } }
      return { path: `/api/pending-changes/${id}/reject`, body: { reason: 'No.', payload_sha256, keep } }
    },
    'post /api/pending-changes/:id/revise': async () => ({
      path: `/api/pending-changes/${(await draft()).id}/revise`,
      body: {
        payload: { title: name() },
        edits: [{ old_text: 'Another line.', new_text: 'A third line.' }],
        reason: 'Better so.',
      },
      byAgent: true,
    }),
    ...Object.fromEntries(
      [
        { insert_after: 'Another line.', new_text: 'A third line.' },
        { insert_before: 'Another line.', new_text: 'A third line.' },
        { append: 'A third line.' },
      ].map((edit) => [
        `post /api/pending-changes/:id/revise #${Object.keys(edit)[0]}`,
        async () => ({
          path: `/api/pending-changes/${(await draft()).id}/revise`,
          body: { payload: {}, edits: [edit], reason: 'Better so.' },
          byAgent: true,
        }),
      ]),
    ),
    'post /api/changesets/:id/approve': async () => {
      const { id, changeset_id, payload_sha256 } = await draft()
      return { path: `/api/changesets/${changeset_id}/approve`, body: { payloads: { [id]: payload_sha256 } } }
    },
    'post /api/changesets/:id/reject': async () => ({
      path: `/api/changesets/${(await draft()).changeset_id}/reject`,
      body: { reason: 'No.' },
    }),
    'get /api/inbox/lines': async () => ({ path: '/api/inbox/lines', query: { entity_type: 'page' } }),
    'post /api/audit/:seq/undo': async () => {
      const { id, body } = await settling()
      const { items } = (await owner.get(`/api/audit?entity_id=${id}`)).body
      return { path: `/api/audit/${items[1].seq}/undo`, body }
    },
    'post /api/pending-changes/:id/undo': async () => {
      const { id, entity_id } = await draft()
      await owner.post(`/api/pending-changes/${id}/approve`).send({})
      await owner.patch(`/api/pages/${entity_id}`).send({ version: 2, title: name() })
      return {
        path: `/api/pending-changes/${id}/undo`,
        body: { settle: { version: 3, fields: { title: 'Settled' } } },
      }
    },
    'get /api/activity': async () => ({ path: '/api/activity', query: activityFilter }),
    'get /api/activity/export': async () => ({ path: '/api/activity/export', query: activityFilter }),
    'get /api/usage': async () => ({ path: '/api/usage', query: { agent: 'companion', model: 'scripted' } }),
    'post /api/agents': async () => ({
      path: '/api/agents',
      body: { name: name(), slug: `agent-${++made}` },
    }),
    'post /api/agents #companion': async () => ({
      path: '/api/agents',
      body: { name: name(), tier: 'suggest', ...ofCompanion },
    }),
    'patch /api/agents/:agent_id #companion': async () => ({
      path: `/api/agents/${companionId}`,
      body: { name: name(), ...ofCompanion },
    }),
    'patch /api/agents/:agent_id/research-settings': async () => ({
      path: `/api/agents/${companionId}/research-settings`,
      body: {
        prompts: {
          plan: 'Answer as {"sub_questions": []}.',
          terms: 'Answer as {"corrections": [{ "sub_question": "" }]}.',
          answer: 'Answer as {"sections": [{ "claims": [{ "cites": [] }] }]}.',
          judge: 'Answer as {"verdicts": [{ "sentences": [] }]}.',
        },
      },
    }),
    'patch /api/agents/:agent_id': async () => ({ path: `/api/agents/${agentId}`, body: { name: name() } }),
    'post /api/agents/:agent_id/tokens': async () => ({
      path: `/api/agents/${agentId}/tokens`,
      body: { name: name() },
    }),
  }

  return { space, agent, examples: { ...own, ...ofKinds() } }

  function ofKinds(): Examples {
    const examples: Examples = {}
    for (const { type, path } of deps.kinds.all) {
      const placed = (): Record<string, unknown> =>
        type === 'page' || type === 'source_doc' ? { path: `Folder/${name()}.md` } : {}
      const fields = (): Record<string, unknown> => ({
        ...{ title: name(), reason: 'Asked.' },
        ...placed(),
        ...fieldsOf[type],
      })
      const place = `${inSpace}/${path}`
      const create = async () => (await owner.post(place).send(fields())).body
      examples[`post /api/spaces/:space_id/${path}`] = async () => ({ path: place, body: fields() })
      examples[`patch /api/${path}/:id`] = async () => {
        const changes = type === 'source_doc' ? { title: name(), reason: 'Asked.', ...placed() } : fields()
        return {
          path: `/api/${path}/${(await create()).id}`,
          body: { ...changes, version: 1, save_id: 'one' },
        }
      }
      examples[`delete /api/${path}/:id`] = async () => ({
        path: `/api/${path}/${(await create()).id}`,
        body: { version: 1, reason: 'Old.' },
      })
      examples[`get /api/${path}/:id/preview`] = async () => ({
        path: `/api/${path}/${(await create()).id}/preview`,
        query: { heading: 'Care', passage: 'Trim the wick.' },
      })
    }
    return examples
  }

  async function signedIn(): Promise<PasskeyBrowser> {
    await owner.delete('/api/passkeys')
    const browser = passkeyBrowser(void_.app)
    await browser.signIn()
    return browser
  }

  async function endedTurn(): Promise<string> {
    const { text } = await owner.post(`${inSpace}/companion/turn`).send({ text: 'Hello' })
    return String(/"turn_id":"([^"]+)/.exec(text)?.[1])
  }

  /** The answer of a turn that ended. */
  async function answered(): Promise<string> {
    const { text } = await owner.post(`${inSpace}/companion/turn`).send({ text: 'Hello' })
    return String(/"assistant_message_id":"([^"]+)/.exec(text)?.[1])
  }

  /** A run that shows its plan and waits. */
  async function plannedResearch(): Promise<string> {
    const conversation_id = (await owner.post(`${inSpace}/conversations`)).body.id
    const asked = { text: 'How often does the lamp turn?', research: 'quick', conversation_id }
    const { text } = await owner.post(`${inSpace}/companion/turn`).send(asked)
    return String(/"run_id":"([^"]+)/.exec(text)?.[1])
  }

  async function sourceTool(id: string) {
    const { rows } = await deps.database.query<{ name: string; sha256: string }>(
      `insert into source_tools (source_id, name, definition, sha256, policy)
       select $1, 'look', definition, encode(sha256(convert_to(definition, 'UTF8')), 'hex'), 'off'
       from (select '{"name":"look","input_schema":{"type":"object"}}' as definition) as given
       returning name, sha256`,
      [id],
    )
    return rows[0]!
  }

  async function importJob(): Promise<string> {
    return (await owner.post(`${inSpace}/imports`).send({ source: name() })).body.id
  }

  /** One that waits behind a turn that never ends. */
  async function queuedTurn(): Promise<string> {
    const conversation_id = (await owner.post(`${inSpace}/conversations`)).body.id
    const companion = (await deps.companion.agent()).id
    await deps.database.query(
      `insert into turns (id, space_id, conversation_id, agent_id, status, body_hash, lease_owner, lease_until)
       values (gen_random_uuid(), $1, $2, $3, 'running', '', 'nobody', now() + interval '1 day')`,
      [space, conversation_id, companion],
    )
    const waiting = await deps.companion.start(
      { kind: 'owner' },
      {
        space_id: space,
        message: { text: 'And?' },
        conversation_id,
        idempotency_key: null,
        queue: true,
      },
    )
    return waiting.id
  }
}

const activityFilter = { actor: 'owner', entity_type: 'page', action: 'create' }

const fieldsOf: Record<string, Record<string, unknown>> = {
  page: { body: 'Text' },
  project: { body: 'Text' },
  task: { body: 'Text', recurrence: 'FREQ=DAILY' },
  ref: { url: 'https://example.org/', body: 'Text', author: 'Somebody' },
  resource: { kind: 'book', url: 'https://example.org/', body: 'Text' },
  page_view: { body: 'views: []' },
  source_doc: { text: 'Text', metadata: { from: 'Somebody' } },
}
