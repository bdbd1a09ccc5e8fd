// A Space with pages, and one of the ready-made routines there.

import { expect } from 'vitest'
import { type ReadyName, readyRoutine } from '../../../lib/contract/companion/ready-routines.ts'
import type { TestApp } from '../../helpers/build-app.ts'

export async function makeReady({ owner }: Pick<TestApp, 'owner'>, ready: ReadyName, given: object = {}) {
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Skerry Light' })
  const at = `/api/spaces/${space.id}`
  const { about: _, ...asItIs } = readyRoutine(ready)
  const { status, body: routine } = await owner.post(`${at}/routines`).send({ ...asItIs, ...given })
  expect([status, routine.error]).toEqual([201, undefined])
  return {
    space,
    at,
    routine,
    async page(title: string, body: string): Promise<string> {
      return (await owner.post(`${at}/pages`).send({ title, body }).expect(201)).body.id
    },
    async run(body: object = {}) {
      const started = await owner.post(`/api/routines/${routine.id}/run`).send(body).expect(202)
      for (;;) {
        const { body: listed } = await owner.get(`/api/routines/${routine.id}/runs`)
        const last = listed.items.find(({ turn_id }: { turn_id: string }) => turn_id === started.body.turn_id)
        if (last && last.status !== 'running') {
          const { conversation_id } = started.body
          const messages = await owner.get(`/api/conversations/${conversation_id}/messages`)
          const drafts = await Promise.all(
            last.draft_ids.map(
              async (id: string) => (await owner.get(`/api/pending-changes/${id}`).expect(200)).body,
            ),
          )
          const said = messages.body.items.findLast(
            ({ turn_id, role }: Record<string, string>) => turn_id === last.turn_id && role === 'assistant',
          )
          return { ...last, found: drafts, answer: (said?.body ?? null) as string | null }
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}
