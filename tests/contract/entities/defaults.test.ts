import { expect, test } from 'vitest'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { createEntitiesRepo } from '../../../lib/db/repos/entities.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeWorld } from '../../helpers/world.ts'

const void_ = await buildApp()
const { space } = await makeWorld(void_)

test.each(kinds.all.map((kind) => [kind.type, kind] as const))(
  'what a new %s is said to get is what the table gives it',
  async (_, kind) => {
    const row = await createEntitiesRepo(void_.deps.database).insert(kind, {
      id: crypto.randomUUID(),
      space_id: space.id,
      fields: { title: 'Only a title', ...kind.derive({}) },
      actor: 'owner',
      origin: 'owner',
    })

    const rest = Object.keys(kind.fields.shape).filter((name) => name !== 'title')
    expect(Object.fromEntries(rest.map((name) => [name, row[name]]))).toEqual(
      Object.fromEntries(rest.map((name) => [name, kind.defaults[name] ?? null])),
    )
  },
)
