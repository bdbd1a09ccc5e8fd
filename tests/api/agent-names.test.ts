import { describe, expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { makeAgent } from '../helpers/world.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const create = (name: string, slug: string) => owner.post('/api/agents').send({ name, slug })

const imitations = [
  ...['You', 'you', ' Y o u ', 'Y\u200bou', 'Уоu', 'Ｙｏｕ', 'Y0u', 'The owner', 'OWNER', 'Ovvner'],
  ...['Void', 'Vоіd', 'V01d', 'Void.', '“Void”', 'void-system', 'System', 'The Companion', 'Companlon'],
  ...[
    'Welcome',
    'An import',
    'Anonymous',
    'Nobody',
    'Void Companion',
    'TheOwner',
    'T\u200bhe Owner',
    '𝕍𝕠𝕚𝕕',
    'Vóid',
  ],
]

describe('the name of an agent', () => {
  test.each(imitations)('cannot pass for the owner or for Void: %j', async (name) => {
    const refused = await create(name, 'pilot')

    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('Choose a different name.'),
    })
  })

  test.each(['you', 'owner', 'void', 'v0id', 'the-companion', 'import', 'system', 'nobody'])(
    'nor can its slug: %s',
    async (slug) => {
      const refused = await create('Pilot', slug)

      expect(refused.status).toBe(400)
      expect(refused.body.error.message).toContain('Choose a different slug.')
    },
  )

  test('may contain such a word', async () => {
    const names = ['Importer', 'Avoid', 'Youri', 'Home owner bot', 'Ovid', 'System monitor', 'Видео']
    const created = await Promise.all(names.map((name, index) => create(name, `fine-${index}`)))

    expect(created.map(({ status }) => status)).toEqual(names.map(() => 201))
  })

  test('cannot be changed to one either, but an older one stays', async () => {
    const { agentId } = await makeAgent(void_, { slug: 'scribe' })
    const path = `/api/agents/${agentId}`

    const refused = await owner.patch(path).send({ name: 'Void' })
    await deps.database.query("update agents set name = 'Owner' where id = $1", [agentId])
    const unchanged = await owner.patch(path).send({ name: 'Owner', capabilities: { suggest: false } })

    expect([refused.status, unchanged.status]).toEqual([400, 200])
  })

  test('“Companion” belongs to the companion', async () => {
    const { body } = await owner.get('/api/agents')
    const { id } = body.items.find(({ kind }: { kind: string }) => kind === 'companion')
    const rename = (name: string) => owner.patch(`/api/agents/${id}`).send({ name })

    const answers = [await rename('Iris'), await rename('You'), await rename('Companion')]

    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200])
  })
})
