// Names made at the same moment: each gets a slug of its own.

import { describe, expect, test } from 'vitest'
import { createCompanion, noCompanion } from '../../lib/auth/agents/agents.ts'
import { connectProgram } from '../../lib/auth/agents/connections.ts'
import { openWelcome } from '../../lib/files/import/welcome.ts'
import { buildApp } from '../helpers/build-app.ts'

const ten = Array.from({ length: 10 }, (_, index) => index)
const slugs = (name: string) => ten.map((index) => (index === 0 ? name : `${name}-${index + 1}`))
const {
  owner,
  deps: { database },
} = await buildApp()

test('two servers that start together for the first time have one Welcome Space', async () => {
  const opened = await Promise.all([openWelcome(database), openWelcome(database)])

  expect(new Set(opened.map((space) => space?.id)).size).toBe(1)
  expect(opened[0]).toMatchObject({ slug: 'welcome' })
})

describe('ten at once with one name', () => {
  test('are ten Spaces, each with a slug of its own', async () => {
    const made = await Promise.all(ten.map(() => owner.post('/api/spaces').send({ name: 'Skerry Light' })))

    expect(made.map(({ status }) => status)).toEqual(ten.map(() => 201))
    expect(made.map(({ body }) => body.slug).toSorted()).toEqual(slugs('skerry-light').toSorted())
  })

  test('are ten programs, each with a slug of its own, and not in the way of an agent with a given one', async () => {
    const connected = ten.map((index) =>
      database.transaction((tx) =>
        connectProgram(tx, {
          client_id: `client-${index}`,
          grant_id: `grant-${index}`,
          client_name: 'Log book',
          spaces: null,
          tier: 'read',
          expires_at: null,
        }),
      ),
    )
    const given = owner.post('/api/agents').send({ name: 'Log book', slug: 'log-book-4' })

    await Promise.all([...connected, given])
    const { body } = await owner.get('/api/agents?limit=100')

    const found = body.items.map(({ slug }: { slug: string }) => slug)
    expect(found.filter((slug: string) => slug.startsWith('log-book'))).toHaveLength(
      (await given).status === 201 ? 11 : 10,
    )
  })

  test('are one companion: the others are told that the name is taken', async () => {
    const made = await Promise.all(
      ten.map(() => owner.post('/api/agents').send({ name: 'Pilot', tier: 'read' })),
    )
    const names = new Map(made.map(({ status, body }) => [status, body.error?.code]))

    expect(made.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(names.get(409)).toBe('name_taken')
    expect(names.size).toBe(2)
  })

  test('are ten companions where only their slugs would be the same', async () => {
    const names = [...'潮波風雲霧雨雪氷海島']
    const settings = { ...noCompanion, tier: 'read', spaces: null } as const
    const made = await Promise.all(
      names.map((name) => database.transaction((tx) => createCompanion(tx, { ...settings, name }))),
    )

    expect(made.map(({ slug }) => slug).toSorted()).toEqual(slugs('own').toSorted())
  })
})
