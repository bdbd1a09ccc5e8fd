import { describe, expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner } = void_
const world = await makeWorld(void_)

/** A Space of its own, with templates where `templates` are given. */
async function makeSpace(name: string, templates: Record<string, string> = {}, parent = 'Templates') {
  const { id } = (await owner.post('/api/spaces').send({ name }).expect(201)).body
  const at = `/api/spaces/${id}`
  const make = async (fields: Record<string, unknown>) =>
    (await owner.post(`${at}/pages`).send(fields).expect(201)).body
  const above = Object.keys(templates).length > 0 ? await make({ title: parent }) : null
  for (const [title, body] of Object.entries(templates)) await make({ title, body, parent_id: above.id })
  const daily = (day: string, time = '09:00') => owner.post(`${at}/daily-note`).send({ day, time })
  const set = (changes: Record<string, unknown>) => owner.patch(`${at}/note-settings`).send(changes)
  return { at, make, daily, set }
}

describe('the daily note', () => {
  test('is made from the template at its place, and opened afterwards', async () => {
    const { daily } = await makeSpace('Diary', { 'Daily note': '# {{title}}\n\nBegun at {{time}}.' })

    const first = await daily('2026-11-24', '00:00')
    const again = await daily('2026-11-24', '23:59')
    const next = await daily('2026-11-25', '00:00')

    expect([first.status, again.status, next.status]).toEqual([201, 200, 201])
    expect(first.body).toMatchObject({ title: '2026-11-24', body: '# 2026-11-24\n\nBegun at 00:00.' })
    expect(again.body.id).toBe(first.body.id)
    expect(next.body).toMatchObject({ title: '2026-11-25', parent_id: first.body.parent_id })
    expect((await owner.get(`/api/pages/${first.body.parent_id}`)).body.title).toBe('Daily notes')
  })

  test('goes where the Space has such pages, and is the one that is there', async () => {
    const { daily, make } = await makeSpace('Vault')
    const journal = await make({ title: 'Journal' })
    const old = await make({ title: '2024-07-15', parent_id: journal.id })
    await make({ title: '2024-07-16', parent_id: journal.id })
    await make({ title: '2024-07-17', parent_id: (await make({ title: 'Trip' })).id })

    expect((await daily('2024-07-15')).body.id).toBe(old.id)
    expect((await daily('2026-11-24')).body).toMatchObject({ title: '2026-11-24', parent_id: journal.id })
  })

  test('a pattern with slashes makes the pages above it, once', async () => {
    const { daily, set } = await makeSpace('Folders')
    await set({ daily_title: 'YYYY/MMMM/D', daily_parent: 'Log/Days' }).expect(200)
    const above = async (id: string) =>
      (await owner.get(`/api/pages/${id}/place`)).body.above.map(({ title }: { title: string }) => title)

    const first = (await daily('2026-11-24')).body
    const again = (await daily('2026-11-24')).body
    const next = (await daily('2026-11-25')).body
    const later = (await daily('2026-12-24')).body

    expect(first.title).toBe('24')
    expect(await above(first.id)).toEqual(['Log', 'Days', '2026', 'November'])
    expect(again.id).toBe(first.id)
    expect(next.parent_id).toBe(first.parent_id)
    expect(later.id).not.toBe(first.id)
    expect(await above(later.id)).toEqual(['Log', 'Days', '2026', 'December'])
  })

  test('is made once by two tabs at once', async () => {
    const { at, daily } = await makeSpace('Two tabs')

    const answers = await Promise.all(Array.from({ length: 8 }, () => daily('2026-11-24')))

    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 201).length).toBe(1)
    expect((await owner.get(`${at}/pages`)).body.items.length).toBe(2)
  })

  test('goes by the settings of its Space', async () => {
    const { set, daily, make } = await makeSpace('Log', { Watch: 'Wind:' }, 'Forms')
    const logs = await make({ title: 'Logs' })
    await set({
      ...{ templates_page: 'forms', daily_template: 'watch' },
      ...{ daily_parent: 'Logs', daily_title: 'dddd [the] Do' },
    }).expect(200)

    const { body } = await daily('2026-11-24')
    await set({ daily_parent: '' }).expect(200)
    const loose = await daily('2026-11-25')

    expect(body).toMatchObject({ title: 'Tuesday the 24th', body: 'Wind:', parent_id: logs.id })
    expect(loose.body).toMatchObject({ title: 'Wednesday the 25th', parent_id: null })
  })

  test('is the page that is there already, wherever it was moved', async () => {
    const { make, daily } = await makeSpace('Moved')
    const archive = await make({ title: 'Archive' })
    const old = await make({ title: '2026-11-24', parent_id: archive.id })

    expect((await daily('2026-11-24')).body.id).toBe(old.id)
  })

  test('that is in the trash is made anew, and the one of another Space is left alone', async () => {
    const [here, there] = [await makeSpace('Here'), await makeSpace('There')]
    const { body } = await here.daily('2026-11-24')
    const other = await there.daily('2026-11-24')
    await owner.delete(`/api/pages/${body.id}`).send({ version: 1 }).expect(200)

    const again = await here.daily('2026-11-24')

    expect(again.status).toBe(201)
    expect(new Set([body.id, other.body.id, again.body.id]).size).toBe(3)
  })

  test('can be undone like any other change', async () => {
    const { daily } = await makeSpace('Undone')
    const { id } = (await daily('2026-11-24')).body
    const { items } = (await owner.get(`/api/audit?entity_id=${id}`)).body

    await owner.post(`/api/audit/${items[0].seq}/undo`).send({}).expect(200)

    expect((await owner.get(`/api/pages/${id}`)).body.deleted_at).not.toBeNull()
  })

  test.each([
    { day: '2026-02-30', time: '09:00' },
    { day: '2026-02-03', time: '24:00' },
    { day: '2026-02-03' },
  ])('is refused for %o', async (body) => {
    const { at } = await makeSpace('Refused')
    expect((await owner.post(`${at}/daily-note`).send(body)).status).toBe(400)
  })
})

describe('settings', () => {
  test('of a title that comes to nothing are refused and change nothing', async () => {
    const { at, set } = await makeSpace('Empty title')

    expect((await set({ daily_title: '[]' })).status).toBe(400)
    expect((await set({ templates_page: '' })).status).toBe(400)
    expect((await owner.get(`${at}/note-settings`)).body).toMatchObject({
      ...{ daily_title: 'YYYY-MM-DD', templates_page: 'Templates' },
    })
  })

  test('and templates are the owner’s alone', async () => {
    const { token } = await makeAgent(void_, { slug: 'scribe' })
    const at = `/api/spaces/${world.space.id}`
    const agent = void_.as(token)

    const answers = [
      await agent.get(`${at}/templates`),
      await agent.patch(`${at}/note-settings`).send({ daily_title: 'D' }),
      await agent.post(`${at}/daily-note`).send({ day: '2026-11-24', time: '09:00' }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
  })
})

test('templates are the pages right below the page of that name, in their order, without those in the trash', async () => {
  const { at, make } = await makeSpace('Forms', { Meeting: 'a', Review: 'b', Old: 'c' })
  const { items } = (await owner.get(`${at}/templates`)).body
  await owner.delete(`/api/pages/${items[1].id}`).send({ version: 1 }).expect(200)
  await make({ title: 'Deeper', parent_id: items[0].id })

  const left = (await owner.get(`${at}/templates`)).body.items

  const titles = (list: { title: string }[]) => list.map(({ title }) => title)
  expect(titles(items).sort()).toEqual(['Meeting', 'Old', 'Review'])
  expect(titles(left)).toEqual(titles(items).toSpliced(1, 1))
})

describe('the settings of a vault', () => {
  const base64 = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64')
  const importInto = async (name: string, files: Record<string, unknown>) => {
    const space = await makeSpace(name)
    const list = Object.entries(files).map(([path, value]) => ({ path, base64: base64(value) }))
    await owner.post(`${space.at}/import`).send({ source: name, files: list }).expect(200)
    return { ...space, settings: (await owner.get(`${space.at}/note-settings`)).body }
  }

  test('say where daily notes and templates are, and the next note goes there', async () => {
    const { settings, daily } = await importInto('Obsidian', {
      '.obsidian/daily-notes.json': {
        folder: 'Areas/Journal',
        format: 'YYYY-MM-DD dddd',
        template: 'Meta/Day',
      },
      '.obsidian/templates.json': { folder: 'Meta' },
      'Meta/Day.md': 'Wind:',
      'Areas/Journal/2024-07-15 Monday.md': 'Rain.',
    })

    expect(settings).toEqual({
      daily_parent: 'Areas/Journal',
      daily_title: 'YYYY-MM-DD dddd',
      daily_template: 'Day',
      templates_page: 'Meta',
    })
    expect((await daily('2024-07-15')).body.body).toBe('Rain.')
    const made = (await daily('2026-11-24')).body
    expect(made).toMatchObject({ title: '2026-11-24 Tuesday', body: 'Wind:' })
    expect(made.path).toBe('Areas/Journal/2026-11-24 Tuesday.md')
  })

  test('of Logseq name its journals', async () => {
    const { settings, daily } = await importInto('Logseq', {
      'logseq/config.edn': '{}',
      'journals/2024_07_15.md': '- rain',
    })
    const old = (await daily('2024-07-15')).body

    expect(settings).toMatchObject({ daily_parent: 'journals', daily_title: 'MMM Do, YYYY' })
    expect(old).toMatchObject({ title: 'Jul 15th, 2024', body: '- rain' })
    expect((await daily('2026-11-24')).body).toMatchObject({
      title: 'Nov 24th, 2026',
      parent_id: old.parent_id,
    })
  })

  test('never replace those of the Space, and broken ones say nothing', async () => {
    const space = await makeSpace('Own')
    await owner.patch(`${space.at}/note-settings`).send({ daily_parent: 'Mine' }).expect(200)
    const files = [{ path: '.obsidian/daily-notes.json', base64: base64({ folder: 'Theirs' }) }]
    await owner.post(`${space.at}/import`).send({ source: 'x', files }).expect(200)
    const { settings } = await importInto('Broken', { '.obsidian/daily-notes.json': '{', 'A.md': 'a' })

    expect((await owner.get(`${space.at}/note-settings`)).body.daily_parent).toBe('Mine')
    expect(settings.daily_parent).not.toBe('Theirs')
  })
})
