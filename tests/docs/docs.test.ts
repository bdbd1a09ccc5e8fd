// The documentation against the code: every route, every file it links to.

import { readdir, readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../lib/api/openapi.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { declaredRoutes } from '../helpers/declared-routes.ts'

const root = new URL('../../', import.meta.url)
const routes = declaredRoutes()
const paths = kinds.all.map(({ path }) => path)

test('docs/api.md has every route with its access, and no other', async () => {
  const text = await readFile(new URL('docs/api.md', root), 'utf8')
  const rows = [...text.matchAll(/^\| `(GET|POST|PUT|PATCH|DELETE) ([^`]+)` \| (\w+) \|/gm)]
  const documented = rows.flatMap(([, method, path, access]) =>
    (path!.includes('{kind}') ? paths : ['']).map(
      (kind) => `${method} ${path!.replace('{kind}', kind)} ${access}`,
    ),
  )

  const existing = routes.map(({ method, path, access }) => `${method.toUpperCase()} ${path} ${access}`)
  expect(documented.toSorted()).toEqual(existing.toSorted())
})

test('the OpenAPI document describes every route, each with an id of its own and the error', async () => {
  const document = (await openApiDocument({ routes, kinds, version: '1.2.3' })) as {
    openapi: string
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>
  }
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))

  expect(document.openapi).toBe('3.1.0')
  expect(operations).toHaveLength(routes.length)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routes.length)
  expect(operations.every(({ responses }) => 'default' in responses)).toBe(true)
  expect(JSON.stringify(document)).not.toContain('undefined')
})

test('the OpenAPI document names each shape once, and what each route may refuse', async () => {
  const document = (await openApiDocument({ routes, kinds, version: '1.2.3' })) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  }
  const text = JSON.stringify(document)
  const broken = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].filter(
    ([, path]) =>
      path!.split('/').reduce((part: unknown, name) => Object(part)[name], document) === undefined,
  )
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))

  expect(broken).toEqual([])
  expect(text.length).toBeLessThan(700_000)
  expect(
    operations.filter(({ responses }) => !Object.keys(responses).some((status) => /^4/.test(status))),
  ).toEqual([])
})

test('every link between the documents leads somewhere', async () => {
  const docs = new URL('docs/', root)
  const files = (await readdir(docs, { recursive: true })).filter((name) => name.endsWith('.md'))
  const broken: string[] = []

  for (const name of [...files.map((file) => `docs/${file}`), 'README.md', 'CHANGELOG.md']) {
    const file = new URL(name.split('/').map(encodeURIComponent).join('/'), root)
    const text = await readFile(file, 'utf8')
    for (const [, target] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)) {
      await stat(new URL(target!, file)).catch(() => broken.push(`${name} → ${target}`))
    }
  }
  expect(broken).toEqual([])
})

test('every path that the documents name is there', async () => {
  const docs = (await readdir(new URL('docs/', root), { recursive: true })).filter(isMarkdown)
  const broken: string[] = []

  for (const file of [...docs.map((name) => `docs/${name}`), 'README.md']) {
    const text = await readFile(new URL(file.split('/').map(encodeURIComponent).join('/'), root), 'utf8')
    for (const [, path] of text.matchAll(/`((?:lib|public|tests|deploy|docs)\/[\w./-]*)`/g)) {
      await stat(new URL(path!, root)).catch(() => broken.push(`${file} → ${path}`))
    }
  }
  expect(broken).toEqual([])
})

const isMarkdown = (name: string) => name.endsWith('.md')
