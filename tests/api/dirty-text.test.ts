// NUL and half surrogate pairs in every field of every route that takes text, one field at a time. The fields are read
// off the routes' own schemas, so a new one is tried as soon as it is there.

import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createGuard } from '../../lib/api/guard.ts'
import type { Route } from '../../lib/api/route.ts'
import { listRoutes } from '../../lib/api/routes/list-routes.ts'
import { kinds } from '../../lib/contract/entities/kinds.ts'
import { buildApp } from '../helpers/build-app.ts'
import { type JsonSchema, type TextField, textFieldsOf, textPlacesOf } from '../helpers/text-fields.ts'
import { type Example, makeExamples } from './text-examples.ts'

const dirt = '\u0000\ud83d'
const void_ = await buildApp({ folders: [tmpdir()] })
const { owner, deps } = void_
const { space, agent, examples } = await makeExamples(void_)

const parts = ['body', 'query'] as const
type Part = (typeof parts)[number]

const routes = listRoutes(kinds, createGuard(deps.server.authentication)).flatMap((route) => {
  // Its texts are the arguments of tools, and it is for agents alone: see tests/outside/mcp.
  if (route.path === '/mcp') return []
  // Its text is the name of the model that is connected: see tests/api/model-trial.
  if (route.path === '/api/model/trial') return []
  const places = { body: placesOf(route.body), query: placesOf(route.query) }
  const name = `${route.method} ${route.path}`
  return places.body.length + places.query.length > 0 ? [{ name, route, places }] : []
})

/** Texts that name something, or are held to a form by the route itself: dirty ones are refused. */
const refused = [
  // A schedule or a zone that cannot be read.
  /routines.* \.(when\.(schedule|time_zone)|quiet_hours.*)$/,
  /^post \/api\/session(\/confirm)? .token$/,
  /base64$/,
  /companion\/turn .screenshot$/,
  /^(get|post) \/api\/search .(kinds|status|space_id|changed_\w+)$/,
  /sha256$/,
  /^get \S+\/mail-threads .cursor$/,
  /^patch \S+\/properties .edits.*\.(set|rename|remove)\.name$/,
  /^get \S+\/page-list .(where|sort|columns)$/,
  /use-proposed /,
  /missing-folders .path$/,
  /(pages|pages\/:id|source-docs|source-docs\/:id) .path$/,
  /^post \/api\/changesets\/:id\/approve/,
  /approve .fields.\*$/,
  /reject .keep.fields.\*$/,
  /(old_text|insert_after|insert_before)$/,
  /time-zone .time_zone$/,
  /^post \/api\/secrets\/import /,
  /api\/agents.* .tools/,
  /\(key\)$/,
  /^put \S+\/trust .key$/,
  /^put \S+\/folder .path$/,
  /\.view\.entityType$/,
  /\.(emoji|recurrence)$/,
]

test.each(routes)(
  '$name takes dirt in each of its texts, and gives none back',
  async ({ name, route, places }) => {
    const variants = Object.entries(examples).flatMap(([key, make]) =>
      key.split(' #')[0] === name ? [make] : [],
    )
    const tried = new Set<string>()

    for (const variant of variants) {
      const clean = await send(route, await variant())
      expect([name, clean.status, clean.text]).toEqual([
        name,
        expect.toSatisfy(isSuccess),
        expect.any(String),
      ])
      const example = await variant()
      for (const part of parts) {
        for (const field of textFieldsOf(places[part], example[part])) {
          const answer = await send(route, soil(await variant(), part, field))

          const where = `${name} ${field.place}`
          const isRefusable = refused.some((pattern) => pattern.test(where))
          expect([where, answer.status, answer.text]).toEqual([
            where,
            expect.toSatisfy((status) => isSuccess(status) || (isRefusable && status < 500)),
            expect.not.stringMatching(/\\u0000|\\ud83d/i),
          ])
          tried.add(`${part}${field.place}`)
        }
      }
    }

    const all = parts.flatMap((part) => places[part].map((place) => `${part}${place}`))
    expect(all.filter((place) => !tried.has(place))).toEqual([])
  },
)

test('nothing of it is stored, and the next message is answered', async () => {
  const { rows: tables } = await deps.database.query<{ name: string }>(
    `select table_name as name
     from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables) {
    const { rows } = await deps.database.query<Record<string, unknown>>(`select * from ${name}`)
    const dirty = rows.filter((row) => /\\u0000|\\ud83d/i.test(JSON.stringify(row)))
    expect([name, dirty]).toEqual([name, []])
  }

  const { text } = await owner.post(`/api/spaces/${space}/companion/turn`).send({ text: 'And now?' })

  expect(text).toContain('event: done')
})

const isSuccess = (status: number) => status >= 200 && status < 300

function placesOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const json: JsonSchema = JSON.parse(
    JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
  )
  return textPlacesOf(json)
}

/** The example with dirt in one of its texts, or in a key. */
function soil(example: Example, part: Part, { path, isKey }: TextField): Example {
  const soiled = { ...example, [part]: structuredClone(example[part]) }
  const last = path.at(-1)!
  const holder = path.slice(0, -1).reduce<object>((inner, key) => Reflect.get(inner, key), soiled[part]!)
  const value: unknown = Reflect.get(holder, last)
  if (isKey) Reflect.deleteProperty(holder, last)
  if (isKey) Reflect.set(holder, `${String(last)}${dirt}`, value)
  else Reflect.set(holder, last, `${String(value)}${dirt}`)
  return soiled
}

async function send(route: Route, { path, body, query = {}, byAgent, browser }: Example) {
  const asked = Object.entries(query).map(
    ([key, value]) => `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
  )
  const url = asked.length > 0 ? `${path}?${asked.join('&')}` : path
  if (browser) return await browser.send(route.method, url, body)
  return await (byAgent ? agent : owner)[route.method](url).send(body)
}
