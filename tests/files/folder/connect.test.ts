// A folder of this machine that is connected through the API, with the loop that keeps it in step.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { makeRealFolder as start } from './real-folder.ts'

const write = (folder: string, name: string, text: string) => writeFileSync(join(folder, name), text)
const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8')

test('what is saved in an editor is a page soon, and what is changed in Void is in the file', async () => {
  const { path, owner, at, pages } = await start()
  write(path, 'a.md', 'from vim\n')
  await owner.post(`${at}/pages`).send({ title: 'B', path: 'b.md', body: 'from Void\n' }).expect(201)

  const { body } = await owner.put(`${at}/folder`).send({ path }).expect(200)

  expect(body).toMatchObject({ path, state: 'syncing', problem: null })
  await expect.poll(pages).toEqual({ 'a.md': 'from vim\n', 'b.md': 'from Void\n' })
  await expect.poll(() => readdirSync(path).toSorted()).toEqual(['.void', 'a.md', 'b.md'])
  await expect
    .poll(async () => (await owner.get(`${at}/folder`)).body)
    .toMatchObject({ state: 'in_step', files: 2 })

  write(path, 'a.md', 'from vim, again\n')
  await expect.poll(pages).toMatchObject({ 'a.md': 'from vim, again\n' })
  const list = await owner.get(`${at}/pages`)
  const page = list.body.items.find((row: { path: string }) => row.path === 'b.md')
  await owner.patch(`/api/pages/${page.id}`).send({ version: page.version, body: 'edited\n' }).expect(200)
  await expect.poll(() => read(path, 'b.md')).toBe('edited\n')

  const log = async () => {
    const { body } = await owner.get(`${at}/folder/log`).expect(200)
    return body.items
      .map((line: Record<string, string>) => `${line.side} ${line.action} ${line.path}`)
      .toSorted()
  }
  await expect
    .poll(log)
    .toEqual(['file created b.md', 'file updated b.md', 'page created a.md', 'page updated a.md'])
})

test('a change that is rejected is put back soon', async () => {
  const { path, owner, at } = await start()
  write(path, 'a.md', 'mine\n')
  await owner.put(`${at}/folder`).send({ path, review: 'all' }).expect(200)
  await expect
    .poll(async () => (await owner.get(`${at}/folder`)).body, { timeout: 10_000 })
    .toMatchObject({ state: 'in_step', files: 1 })
  write(path, 'a.md', 'by an agent\n')
  const drafts = async () => (await owner.get('/api/pending-changes?status=pending')).body.items
  await expect.poll(drafts, { timeout: 10_000 }).toHaveLength(1)
  const [{ id }] = await drafts()
  // Until the looks that the save led to are over.
  await setTimeout(2000)

  await owner.post(`/api/pending-changes/${id}/reject`).send({}).expect(200)

  await expect.poll(() => read(path, 'a.md'), { timeout: 10_000 }).toBe('mine\n')
})

test('a dry run says what would change, and changes nothing', async () => {
  const { path, owner, at, pages } = await start({ running: false })
  write(path, 'a.md', 'new\n')
  write(path, 'same.md', 'same\n')
  write(path, 'both.md', 'one\n')
  for (const [name, body] of [
    ['same', 'same\n'],
    ['both', 'two\n'],
    ['mine', 'mine\n'],
  ])
    await owner
      .post(`${at}/pages`)
      .send({ title: name, path: `${name}.md`, body })
      .expect(201)

  const { body } = await owner.put(`${at}/folder`).send({ path, dry_run: true }).expect(200)

  expect(body).toEqual({
    path,
    to_space: { count: 1, paths: ['a.md'] },
    to_folder: { count: 1, paths: ['mine.md'] },
    equal: 1,
    different: { count: 1, paths: ['both.md'] },
    agents: [],
    held: [],
  })
  expect(readdirSync(path).toSorted()).toEqual(['a.md', 'both.md', 'same.md'])
  expect(Object.keys(await pages())).toHaveLength(3)
  await owner.get(`${at}/folder`).expect(404)
})

test('only a folder below those that the server allows, and none within another', async () => {
  const { root, path, owner, at, deps } = await start({ running: false })
  mkdirSync(join(path, 'inside'))
  const outside = mkdtempSync(join(tmpdir(), 'void-outside-'))
  onTestFinished(() => rmSync(outside, { recursive: true }))
  symlinkSync(outside, join(root, 'link'))
  write(root, 'file', '')
  const put = (given: string, place = at) => owner.put(`${place}/folder`).send({ path: given })

  for (const given of [
    'notes',
    root,
    outside,
    join(root, 'link'),
    join(root, 'file'),
    join(root, 'none'),
    '/',
    deps.server.dataFolder,
    `${path}/../..`,
  ])
    expect((await put(given)).status, given).toBe(400)
  await put(path).expect(200)
  const { body: other } = await owner.post('/api/spaces').send({ name: 'Other' }).expect(201)
  for (const given of [path, join(path, 'inside')])
    expect((await put(given, `/api/spaces/${other.id}`)).body.error.code).toBe('folder_connected')
  // Its own may be connected anew.
  await put(path).expect(200)
})

test('paused, nothing goes either way; resumed, all of it does', async () => {
  const { path, owner, at, pages, sync, synced } = await start({ running: false })
  await owner.put(`${at}/folder`).send({ path }).expect(200)
  await sync()
  expect((await owner.post(`${at}/folder/pause`).send({}).expect(200)).body.state).toBe('paused')

  write(path, 'a.md', 'one\n')
  await sync()
  expect(await pages()).toEqual({})

  expect((await owner.post(`${at}/folder/resume`).send({}).expect(200)).body).toMatchObject({ problem: null })
  await expect.poll(synced).toEqual({ 'a.md': 'one\n' })
})

test('left, both sides stay, and the marker goes', async () => {
  const { path, owner, at, pages, synced } = await start({ running: false })
  write(path, 'a.md', 'one\n')
  await owner.put(`${at}/folder`).send({ path }).expect(200)
  await expect.poll(synced).toEqual({ 'a.md': 'one\n' })

  await owner.delete(`${at}/folder`).expect(204)

  await owner.get(`${at}/folder`).expect(404)
  expect(readdirSync(join(path, '.void'))).not.toContain('folder.json')
  expect(read(path, 'a.md')).toBe('one\n')
  expect(await pages()).toEqual({ 'a.md': 'one\n' })
})

test('a folder that another server keeps asks before it is taken over; the other one then stops', async () => {
  const one = await start({ running: false })
  await one.owner.put(`${one.at}/folder`).send({ path: one.path }).expect(200)
  await one.sync()
  const { owner, deps } = await buildApp({ folders: [one.root] })
  const { body: foreign } = await owner.post('/api/spaces').send({ name: 'Foreign' }).expect(201)
  const put = (more: object) =>
    owner.put(`/api/spaces/${foreign.id}/folder`).send({ path: one.path, ...more })

  expect((await put({}).expect(409)).body.error.code).toBe('folder_connected')
  await put({ take_over: true }).expect(200)
  await deps.content.folders.sync(foreign.id)
  await one.sync()

  expect((await one.owner.get(`${one.at}/folder`)).body).toMatchObject({
    state: 'paused',
    problem: expect.stringContaining('Another'),
  })
})

test('a folder that moved away is not empty, and goes on when it is back', async () => {
  const { root, path, owner, at, pages, sync, synced } = await start({ running: false })
  write(path, 'a.md', 'one\n')
  await owner.put(`${at}/folder`).send({ path }).expect(200)
  await expect.poll(synced).toEqual({ 'a.md': 'one\n' })

  renameSync(path, join(root, 'away'))
  await sync()
  expect((await owner.get(`${at}/folder`)).body).toMatchObject({
    state: 'paused',
    problem: 'The folder cannot be reached.',
  })
  expect(await pages()).toEqual({ 'a.md': 'one\n' })

  renameSync(join(root, 'away'), path)
  await sync()
  expect((await owner.get(`${at}/folder`)).body).toMatchObject({ state: 'in_step', problem: null })
})

test('review can be switched on at any time, and its drafts are counted', async () => {
  const { path, owner, at, pages, sync } = await start()
  write(path, 'a.md', 'one\n')
  mkdirSync(join(path, '.cursor'))
  await owner.put(`${at}/folder`).send({ path }).expect(200)
  await expect.poll(pages).toEqual({ 'a.md': 'one\n' })
  const status = async () => (await owner.get(`${at}/folder`).expect(200)).body
  await expect.poll(status).toMatchObject({ state: 'in_step', review: 'off', agents: ['.cursor (Cursor)'] })

  const { body } = await owner.put(`${at}/folder`).send({ path, review: 'all' }).expect(200)
  expect(body).toMatchObject({ review: 'all', files: 1 })
  write(path, 'a.md', 'two\n')
  await expect.poll(status).toMatchObject({ waiting: 1 })
  await sync()
  expect(await pages()).toEqual({ 'a.md': 'one\n' })

  const drafts = await owner.get('/api/pending-changes?status=pending').expect(200)
  await owner.post(`/api/pending-changes/${drafts.body.items[0].id}/reject`).send({}).expect(200)
  await sync()
  expect(read(path, 'a.md')).toBe('one\n')
  expect(await status()).toMatchObject({ waiting: 0 })
})

test('each line of the list names the change that can be undone', async () => {
  const { path, owner, at, pages, sync } = await start()
  write(path, 'a.md', 'one\n')
  await owner.put(`${at}/folder`).send({ path }).expect(200)
  await expect.poll(pages).toEqual({ 'a.md': 'one\n' })
  write(path, 'a.md', 'two\n')
  await expect.poll(pages).toEqual({ 'a.md': 'two\n' })
  write(path, 'a.md', 'three\n')
  await expect.poll(pages).toEqual({ 'a.md': 'three\n' })

  const { body } = await owner.get(`${at}/folder/log`).expect(200)
  expect(body.items.map(({ action }: { action: string }) => action)).toEqual([
    'updated',
    'updated',
    'created',
  ])
  await owner.post(`/api/audit/${body.items[0].audit_seq}/undo`).send({}).expect(200)
  await sync()

  expect(await pages()).toEqual({ 'a.md': 'two\n' })
  expect(read(path, 'a.md')).toBe('two\n')
})
