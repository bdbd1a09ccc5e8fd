import fc from 'fast-check'
import request from 'supertest'
import { beforeAll, describe, expect, test } from 'vitest'
import { normalizeName } from '../../../lib/core/text/normalize-name.ts'
import { createNamesRepo } from '../../../lib/db/repos/names.ts'
import { attachmentName } from '../../../lib/files/import/attach-file.ts'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { makeAgent, makeWorld, type World } from '../../helpers/world.ts'

const void_ = await buildApp()
const { owner, app, deps } = void_
let world: World

beforeAll(async () => {
  world = await makeWorld(void_)
})

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const attach = (name: string, bytes: Buffer, space = world.space.id) =>
  request(app)
    .post(`/api/spaces/${space}/attachments?name=${encodeURIComponent(name)}`)
    .set('authorization', `Bearer ${ownerToken}`)
    .type('application/octet-stream')
    .send(bytes)

const bytesOf = async (id: string): Promise<Buffer> =>
  (await owner.get(`/api/source-docs/${id}/original`).responseType('blob')).body

describe('attaching a file', () => {
  test('stores its bytes under a name that an embed leads by', async () => {
    const { status, body } = await attach('Lamp room.png', pixel)
    const { body: page } = await owner
      .post(`/api/spaces/${world.space.id}/pages`)
      .send({ title: 'With a picture', body: `![[${body.name}]]` })
    const { body: links } = await owner.get(`/api/pages/${page.id}/links`)

    expect([status, body]).toEqual([
      201,
      { id: body.id, name: 'Lamp room.png', mime: 'image/png', size: pixel.length, existing: false },
    ])
    expect(links.links[0]).toMatchObject({ to_type: 'source_doc', to_id: body.id, embed: true })
    expect(await bytesOf(body.id)).toEqual(pixel)
  })

  test('is the owner’s own change: it is in the log and goes to the trash as any other', async () => {
    const { body } = await attach('Logged.bin', Buffer.from([1, 2, 3, 0, 255]))
    const { body: row } = await owner.get(`/api/source-docs/${body.id}`)
    const { body: audit } = await owner.get(`/api/audit?entity_id=${body.id}`)
    await owner.delete(`/api/source-docs/${body.id}`).send({ version: 1 })

    expect(row).toMatchObject({ version: 1, created_by: 'owner', origin: 'import' })
    expect(audit.items).toMatchObject([{ action: 'create', actor: 'owner' }])
    expect((await owner.get(`/api/source-docs/${body.id}/original`)).status).toBe(404)
  })

  test('the same bytes are the same file, whatever they are called', async () => {
    const bytes = Buffer.from('The tide table of October.')
    const first = await attach('Tides.txt', bytes)
    const again = await attach('Other name.txt', bytes)
    const elsewhere = await attach('Tides.txt', bytes, world.other.id)

    expect([again.status, again.body]).toEqual([200, { ...first.body, existing: true }])
    expect([elsewhere.status, elsewhere.body.existing]).toEqual([201, false])
    expect(elsewhere.body.id).not.toBe(first.body.id)
  })

  test('a file in the trash is not found by its bytes', async () => {
    const bytes = Buffer.from('Thrown away.')
    const { body } = await attach('Away.txt', bytes)
    await owner.delete(`/api/source-docs/${body.id}`).send({ version: 1 })

    const again = await attach('Away.txt', bytes)

    expect([again.status, again.body.name]).toEqual([201, 'Away (2).txt'])
  })

  test('other bytes of the same name get a number, also beside a page of that name', async () => {
    await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'Chart.png', body: '' })

    const names: string[] = []
    for (const text of ['one', 'two', 'three']) {
      names.push((await attach('chart.PNG', Buffer.from(text))).body.name)
    }

    expect(names).toEqual(['chart (2).png', 'chart (3).png', 'chart (4).png'])
  })

  test('two at once of one name do not share it', async () => {
    const answers = await Promise.all(['left', 'right'].map((text) => attach('Twin.txt', Buffer.from(text))))
    const names = answers.map(({ body }) => body.name)

    expect(names.toSorted()).toEqual(['Twin (2).txt', 'Twin.txt'])
  })

  test('its text is found by search', async () => {
    const { body } = await attach('Soundings.txt', Buffer.from('Eleven fathoms at the cormorant rock.'))
    const { body: found } = await owner.get(`/api/search?q=cormorant&space_id=${world.space.id}`)

    expect(found.items.map((hit: { entity_id: string }) => hit.entity_id)).toContain(body.id)
  })

  test('a document that cannot be read is stored all the same', async () => {
    const broken = Buffer.from('%PDF-1.7 and nothing that follows')
    const { status, body } = await attach('Broken.pdf', broken)

    expect([status, body.mime]).toEqual([201, 'application/pdf'])
    expect(await bytesOf(body.id)).toEqual(broken)
  })

  test('a Markdown file stays a file, and becomes no page', async () => {
    const { body } = await attach('Notes.md', Buffer.from('# Heading\n\nOf a file.'))

    expect((await owner.get(`/api/source-docs/${body.id}`)).body.title).toBe('Notes.md')
  })
})

describe('what is refused', () => {
  test('more than 50 MB, before it is read', async () => {
    const { status } = await request(app)
      .post(`/api/spaces/${world.space.id}/attachments?name=big.bin`)
      .set('authorization', `Bearer ${ownerToken}`)
      .set('content-length', String(50 * 1024 * 1024 + 1))
      .send()

    expect(status).toBe(413)
  })

  test('more than 50 MB that come without saying so, and with an answer', async () => {
    const url = await listen(app)
    const body = new Blob(Array.from({ length: 51 }, () => new Uint8Array(1024 * 1024))).stream()
    const answer = await fetch(`${url}/api/spaces/${world.space.id}/attachments?name=stream.bin`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ownerToken}` },
      body,
      duplex: 'half',
    } as RequestInit)

    expect([answer.status, await answer.json()]).toEqual([
      413,
      { error: expect.objectContaining({ code: 'too_large' }) },
    ])
    expect(await createNamesRepo(deps.database).listTaken(world.space.id, ['stream.bin'])).toEqual([])
  })

  test('a call without a name, an unknown Space, and an agent', async () => {
    const { token } = await makeAgent(void_, { slug: 'attacher' })
    const path = `/api/spaces/${world.space.id}/attachments`
    const nowhere = '/api/spaces/01900000-0000-7000-8000-000000000000/attachments?name=a.png'

    expect((await owner.post(path)).status).toBe(400)
    expect((await owner.post(nowhere)).status).toBe(404)
    expect((await void_.as(token).post(`${path}?name=a.png`)).status).toBe(403)
  })
})

describe('the name of an attachment', () => {
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\keeper\\Chart.png', 'Chart.png'],
    ['.hidden.png', 'hidden.png'],
    ['a[[b]]|c#d^e.png', 'a--b---c-d-e.png'],
    ['tab\there\nand there.png', 'tab here and there.png'],
    ['', 'File'],
    ['...', 'File'],
    ['\u202Egnp.exe', '-gnp.exe'],
  ])('of %j is %j', (given, name) => {
    expect(attachmentName(given)).toBe(name)
  })

  test('can always stand in an embed, and is its own name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
        const name = attachmentName(given)

        expect(name).not.toMatch(/[[\]|#^/\\\n\p{Cc}]/u)
        expect(name).toBe(name.trim())
        expect(normalizeName(name)).not.toBe('')
        expect(attachmentName(name)).toBe(name)
      }),
    )
  })
})
