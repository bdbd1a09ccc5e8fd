// A canvas follows the renames and moves of what its cards show.

import { expect, test } from 'vitest'
import { rewriteCanvas } from '../../../lib/content/links/rewrite-canvas.ts'
import { buildApp } from '../../helpers/build-app.ts'

const { owner, deps } = await buildApp()

const canvas = `{
\t"nodes":[
\t\t{"id":"a","type":"file","file":"Plans/Winter.md","subpath":"#Oil","x":0,"y":0,"width":400,"height":400},
\t\t{"id":"b","type":"text","text":"See [[Winter]] and \\"[x](Plans/Winter.md)\\"","x":0,"y":500,"width":1,"height":1},
\t\t{"id":"c","type":"file","file":"Other.md","x":900,"y":0,"width":1,"height":1,"color":"1"}
\t],
\t"edges":[{"id":"e","fromNode":"a","toNode":"c"}]
}`

async function world() {
  const space = (await owner.post('/api/spaces').send({ name: 'Skerry Light' })).body.id
  const job = (await owner.post(`/api/spaces/${space}/imports`).send({ source: 'vault' })).body
  const given: Record<string, string> = {
    'Plans/Winter.md': '# Oil',
    'Other.md': '',
    'Board.canvas': canvas,
  }
  const files = Object.entries(given).map(([path, text]) => ({
    path,
    base64: Buffer.from(text).toString('base64'),
  }))
  await owner.post(`/api/imports/${job.id}/files`).send({ files })
  await owner.post(`/api/imports/${job.id}/start`)
  await deps.content.imports.idle()
  const pages = (await owner.get(`/api/spaces/${space}/pages`)).body.items
  const page = (
    await owner.get(`/api/pages/${pages.find(({ title }: { title: string }) => title === 'Winter').id}`)
  ).body
  const [board] = (await owner.get(`/api/spaces/${space}/source-docs`)).body.items
  return { space, page, board }
}

const bytesOf = async (id: string) =>
  (await owner.get(`/api/source-docs/${id}/original`).responseType('blob')).body.toString()

test('cards, and links in cards, follow a move of the page, and nothing else of the file changes', async () => {
  const { page, board } = await world()

  const moved = await owner
    .patch(`/api/pages/${page.id}`)
    .send({ version: page.version, path: 'Old/Summer.md' })

  expect(moved.status).toBe(200)
  expect(await bytesOf(board.id)).toBe(
    canvas
      .replace('"file":"Plans/Winter.md"', '"file":"Old/Summer.md"')
      .replace('[[Winter]]', '[[Summer]]')
      .replace('(Plans/Winter.md)', '(Old/Summer.md)'),
  )
  const { links } = (await owner.get(`/api/source-docs/${board.id}/links`)).body
  expect(links.map(({ to_title }: { to_title: string }) => to_title)).toEqual(
    expect.arrayContaining(['Summer', 'Other']),
  )
  expect(links.filter(({ to_id }: { to_id: string | null }) => to_id === null)).toEqual([])
  const { items } = (await owner.get(`/api/search?q=Summer&space_id=${page.space_id}`)).body
  expect(items.map(({ entity_id }: { entity_id: string }) => entity_id)).toContain(board.id)
})

test('a move that its links survive turns the paths of cards', async () => {
  const { page, board } = await world()

  await owner.patch(`/api/pages/${page.id}`).send({ version: page.version, path: 'Winter.md' })

  expect(await bytesOf(board.id)).toContain('"file":"Winter.md"')
})

test('undoing the move turns them back', async () => {
  const { page, board } = await world()
  await owner.patch(`/api/pages/${page.id}`).send({ version: page.version, path: 'Old/Summer.md' })
  const [{ seq }] = (await owner.get(`/api/audit?entity_id=${page.id}`)).body.items

  const undone = await owner.post(`/api/audit/${seq}/undo`).send({})

  expect(undone.status).toBe(200)
  expect(await bytesOf(board.id)).toBe(canvas)
})

test('a file that is no canvas, and what only looks like a card, stay as they are', () => {
  const targets = { cards: new Map([['a', 'b.md']]), choose: () => 'b' }

  expect(rewriteCanvas('{"nodes": [{"file": "a.md"', targets)).toBe('{"nodes": [{"file": "a.md"')
  expect(rewriteCanvas('{"text": "\\"file\\": \\"a.md\\""}', targets)).toBe(
    '{"text": "\\"file\\": \\"a.md\\""}',
  )
})
