// The shape of the house: what may import what. The table is the rule; a folder that is not in it fails.

import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Layer } from './architecture/layer.ts'
import { libRooms } from './architecture/lib-rooms.ts'
import { publicRooms } from './architecture/public-rooms.ts'
import { findCircles } from './helpers/find-circles.ts'
import { functionLines } from './helpers/function-lines.ts'
import { importsOf, type Module, readModules } from './helpers/read-modules.ts'
import { slowTests } from './helpers/slow-tests.ts'

type Root = {
  name: 'lib' | 'public'
  /** Everything above these may import them. */
  foundation: readonly string[]
  /** Bottom to top: a file imports from its own folder, and from earlier rows. */
  layers: readonly Layer[]
}

const roots: readonly Root[] = [
  { name: 'lib', foundation: ['core', 'contract'], layers: libRooms },
  {
    name: 'public',
    foundation: ['ui', 'app'],
    layers: publicRooms,
  },
]

/** What of lib the browser's code may import: it has to run in a browser. */
const sharedWithBrowser = /^lib\/(contract|core\/(text|schedule)|files\/import\/(file|html))\//

const maxLines = 300
const maxFunctionLines = 60
const maxFiles = 20

/** Lists: a file for each table, or for each resource. */
const flat: readonly string[] = ['lib/api/routes', 'lib/db/repos']

const lib = await readModules(['lib'])
const browser = await readModules(['public'])
const modules = [...lib, ...browser]
const modulesOf = { lib, public: browser }
const files = modules.map(({ file }) => file)

/** The files that a module imports; of a folder that it loads, all that are in it. */
const targetsOf = ({ file, imports }: Module): string[] =>
  imports.flatMap((name) =>
    name.endsWith('/')
      ? files.filter((other) => other !== file && folderOf(other) === name.slice(0, -1))
      : files.filter((other) => other === name),
  )

const folderOf = (file: string) => posix.dirname(file)

/** A folder, or a file directly in lib or public: those are in different layers. */
const nodeOf = (file: string) => (folderOf(file).includes('/') ? folderOf(file) : file)

const placeOf = (file: string) => file.split('/')[1]!
const insideOf = (file: string) => folderOf(file).split('/').slice(2).join('/')

const importersOf = (pattern: RegExp) =>
  lib.filter(({ imports }) => imports.some((name) => pattern.test(name))).map(({ file }) => file)

describe('reading imports', () => {
  test('every form of import is read', () => {
    const text = `
      import a from 'a'
      import type { B } from './b.ts'
      export * from './c.ts'
      export type { D } from './d.ts'
      type E = typeof import('./e.ts')
      const f = await import('./f.ts')
      const g = require('./g.ts')
      const worker = new URL('./h.ts', import.meta.url)
      // import i from './i.ts'
      const text = "import j from './j.ts'"
      new URL('./k.ts', base)
    `

    const { names, computed } = importsOf(text)

    expect(names).toEqual(['a', './b.ts', './c.ts', './d.ts', './e.ts', './f.ts', './g.ts', './h.ts'])
    expect(computed).toBe(false)
    expect(importsOf('import(name)').computed).toBe(true)
  })

  test('the modules are there, and what they import is found', () => {
    expect(lib.length).toBeGreaterThan(80)
    expect(importersOf(/^lib\/db\/pool\.ts$/).length).toBeGreaterThan(10)
    expect(
      modules.flatMap(({ file, imports }) => missing(imports).map((name) => `${file} → ${name}`)),
    ).toEqual([])
  })

  test('a name is worked out only where a folder is loaded, and where the server loads the pages', () => {
    const computed = modules.filter((module) => module.computed).map(({ file }) => file)

    expect(computed).toEqual([
      'lib/api/web/painter.ts',
      'lib/contract/entities/kinds.ts',
      'lib/files/import/parse/formats.ts',
      'lib/jobs/workers/run-module.ts',
    ])
  })
})

const missing = (imports: string[]) =>
  imports.filter((name) => /^(lib|public)\/.*\.ts$/.test(name) && !files.includes(name))

describe.each(roots)('layers of $name', ({ name, layers, foundation }) => {
  const own = modulesOf[name]
  const order = layers.map(({ place }) => place)
  const below = (place: string) => order.slice(0, order.indexOf(place))

  test('every folder has its row, and every row its folder', () => {
    const found = new Set(
      own.map(({ file }) => (nodeOf(file) === file ? placeOf(file) : nodeOf(file).slice(`${name}/`.length))),
    )
    const named = layers.flatMap(({ place, inside = [''] }) =>
      inside.map((folder) => (folder === '' ? place : `${place}/${folder}`)),
    )

    expect(named.toSorted()).toEqual([...found].toSorted())
  })

  test('a row uses only earlier rows', () => {
    const wrong = layers.flatMap(({ place, uses }) =>
      uses.filter((used) => !below(place).includes(used)).map((used) => `${place} uses ${used}`),
    )

    expect(wrong).toEqual([])
  })

  test('an import goes where its row allows', () => {
    const upward = own.flatMap((module) =>
      targetsOf(module)
        .filter((target) => target.startsWith(`${name}/`) && !isAllowed(module.file, target))
        .map((target) => `${module.file} → ${target}`),
    )

    expect(upward).toEqual([])
  })

  function isAllowed(from: string, to: string): boolean {
    const { place, uses, inside = [''] } = layers.find(({ place }) => place === placeOf(from))!
    if (placeOf(to) === place) return inside.indexOf(insideOf(to)) <= inside.indexOf(insideOf(from))
    return (
      uses.includes(placeOf(to)) || (foundation.includes(placeOf(to)) && below(place).includes(placeOf(to)))
    )
  }
})

test('the browser imports of lib only what runs in a browser, and lib imports nothing of public', () => {
  const across = modules.flatMap((module) =>
    targetsOf(module)
      .filter((target) => placeRoot(target) !== placeRoot(module.file) && !sharedWithBrowser.test(target))
      .map((target) => `${module.file} → ${target}`),
  )

  // The server paints the first view with the browser's own code, and names the entry of the service worker to esbuild.
  expect(across).toEqual([
    'lib/api/web/installable.ts → public/start/service-worker.ts',
    'lib/api/web/painter.ts → public/start/server.ts',
  ])
})

const placeRoot = (file: string) => file.split('/')[0]

describe('circles', () => {
  test('there is none among files, nor among folders, however deep', () => {
    const imports = modules.map((module) => [module.file, targetsOf(module)] as const)
    const folders = Map.groupBy(imports, ([file]) => nodeOf(file))
    const reached = [...folders].map(
      ([node, members]) => [node, members.flatMap(([, targets]) => targets.map(nodeOf))] as const,
    )

    const circles = [...findCircles(new Map(reached)), ...findCircles(new Map(imports))]

    expect(circles.map((circle) => circle.join(' ↔ '))).toEqual([])
  })
})

describe('who knows what', () => {
  test('only lib/ai/wires/call-model.ts knows the SDK', () => {
    expect(importersOf(/^@anthropic-ai\/sdk/)).toEqual(['lib/ai/wires/call-model.ts'])
  })

  test('only lib/auth/oauth/server knows the authorization server, and loads it when it is asked for', () => {
    const files = importersOf(/^oidc-provider$/)
    const values = lib.filter(({ text }) => /^import (?!type )[^;]*? from 'oidc-provider'/m.test(text))
    const ahead = lib.filter(({ text }) =>
      /^import (?!type )[^;]*? from '[^']*server\/(provider|adapter)\.ts'/m.test(text),
    )

    expect(files.filter((file) => !file.startsWith('lib/auth/oauth/server/'))).toEqual([])
    expect(values.map(({ file }) => file)).toEqual([
      'lib/auth/oauth/server/adapter.ts',
      'lib/auth/oauth/server/provider.ts',
    ])
    expect(ahead.map(({ file }) => file)).toEqual([])
    expect(lib.find(({ file }) => file === 'lib/auth/oauth/server/providers.ts')?.text).not.toMatch(
      /from '\.\/provider\.ts'/,
    )
  })

  test('of the offline companion only its model is known', () => {
    const outside = lib.filter(({ file }) => !file.startsWith('lib/ai/offline/'))
    const known = outside.flatMap(({ imports }) => imports.filter((name) => name.includes('/ai/offline/')))

    expect([...new Set(known)]).toEqual(['lib/ai/offline/offline-model.ts'])
  })

  test('only the API, the shell and the app know Express', () => {
    const files = importersOf(/^(express|helmet|pino-http|express-rate-limit)$/)

    expect(files.filter((file) => !/^lib\/api\/|^lib\/server\/app\.ts$/.test(file))).toEqual([])
  })

  test('no route creates a repo', () => {
    const files = lib.filter(
      ({ file, text }) => file.startsWith('lib/api/') && /\bcreate\w+Repo\b/.test(withoutComments(text)),
    )

    expect(files.map(({ file }) => file)).toEqual([])
  })

  test('all SQL lives under lib/db', () => {
    const statement = /\b(select\s+[\w*,\s(]+\s+from\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s)/i
    const files = lib.filter(
      ({ file, text }) => !file.startsWith('lib/db/') && statement.test(withoutComments(text)),
    )

    expect(files.map(({ file }) => file)).toEqual([])
  })

  test('the environment is read in config.ts, and in resolve-secret.ts for keys that are references', () => {
    const files = lib
      .filter(({ text }) => withoutComments(text).includes('process.env'))
      .map(({ file }) => file)

    expect(files.toSorted()).toEqual(['lib/auth/secrets/resolve-secret.ts', 'lib/server/config.ts'])
  })
})

describe('docs/architecture.md', async () => {
  const text = await readFile(new URL('../docs/architecture.md', import.meta.url), 'utf8')

  test('every file that it names without a folder is there', () => {
    const named = [...text.matchAll(/`([\w.-]+\.ts)`/g)].map(([, name]) => name!)
    const known = new Set(files.map((file) => posix.basename(file)))

    expect(named.length).toBeGreaterThan(2)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  test('every folder of lib has its place in the table', () => {
    const folders = libRooms.map(({ place }) => place).filter((place) => !place.endsWith('.ts'))

    expect(folders.filter((folder) => !text.includes(`\`lib/${folder}/\``))).toEqual([])
  })
})

const rooms = roots
  .flatMap(({ name, layers }) => layers.map(({ place }) => `${name}/${place}`))
  .filter((place) => !place.endsWith('.ts'))

describe.each(rooms)('the map of %s', (room) => {
  const map = readFileSync(`${room}/README.md`, 'utf8')

  test('names its room, in at most fifteen lines', () => {
    expect(map).toMatch(new RegExp(`^# ${posix.basename(room)}\n`))
    expect(map.split('\n').length).toBeLessThanOrEqual(16)
  })

  test('names files that are there', () => {
    const named = [...map.matchAll(/[\w/-]+\.ts\b/g)].map(([name]) => name)
    const present = files.filter((file) => file.startsWith(`${room}/`))

    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !present.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([])
  })
})

describe('sizes', () => {
  test('no file has more than 300 lines', () => {
    const long = modules.filter(({ text }) => text.split('\n').length > maxLines + 1).map(({ file }) => file)

    expect(long).toEqual([])
  })

  test('no function has more than 60 lines, but factories of repos', () => {
    const long = modules
      .filter(({ file }) => !file.startsWith('lib/db/repos/'))
      .flatMap(({ file, text }) => functionLines(text).map((one) => ({ file, ...one })))
      .filter(({ lines }) => lines > maxFunctionLines)

    expect(long).toEqual([])
  })

  test('no folder has more than 20 files side by side, but repos and routes', () => {
    const full = [...Map.groupBy(files, folderOf)]
      .filter(([folder, members]) => members.length > maxFiles && !flat.includes(folder))
      .map(([folder]) => folder)

    expect(full.toSorted()).toEqual([])
  })
})

test('every slow test is there', () => {
  expect(slowTests.filter((file) => !existsSync(file))).toEqual([])
})

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
