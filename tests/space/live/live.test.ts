import { describe, expect, test } from 'vitest'
import type { Published } from '../../../lib/contract/events/live.ts'
import { createLocalNotifications } from '../../../lib/db/notifications.ts'
import { createLive, type NumberedLiveEvent } from '../../../lib/space/live/live.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'

const inbox = (count: number): Published => ({ type: 'inbox', data: { count } })
const collect = () => {
  const events: NumberedLiveEvent[] = []
  return {
    events,
    reader: (event: NumberedLiveEvent) => events.push(event),
    told: () => events.map(({ data }) => data),
  }
}

describe('a reader of live events', () => {
  test('that comes back is told what it missed, and nothing twice', () => {
    const live = createLive({ boot: 'a', version: '1', notifications: createLocalNotifications() })
    const first = collect()
    const leave = live.subscribe(first.reader, null)
    live.publish(inbox(1))
    leave()
    live.publish(inbox(2))
    live.publish(inbox(3))

    const second = collect()
    live.subscribe(second.reader, first.events.at(-1)!.id)
    live.publish(inbox(4))

    expect(second.told()).toEqual([{ resumed: true, version: '1' }, { count: 2 }, { count: 3 }, { count: 4 }])
  })

  test('is told to ask again when what it missed is not known any more', () => {
    const live = createLive({ boot: 'a', version: '1', notifications: createLocalNotifications() })
    for (let count = 0; count < 600; count += 1) live.publish(inbox(count))

    const resumed = ['a-1', 'b-599', 'a-601', 'nonsense', null, 'a-600'].map((lastId) => {
      const reader = collect()
      live.subscribe(reader.reader, lastId)
      return reader.events[0]?.type === 'hello' && reader.events[0].data.resumed
    })

    expect(resumed).toEqual([false, false, false, false, false, true])
  })

  test('is let go when the server stops', () => {
    const live = createLive({ boot: 'a', version: '1', notifications: createLocalNotifications() })
    let closed = 0
    live.subscribe(
      () => {},
      null,
      () => {
        closed += 1
      },
    )

    live.close()

    expect(closed).toBe(1)
  })
})

test('a draft and its approval are told: the draft, what changed, and how many wait', async () => {
  const void_ = await buildApp()
  const { space, paint } = await makeWorld(void_)
  const { token } = await makeAgent(void_, { slug: 'scribe' })
  const { events, reader } = collect()
  void_.deps.server.live.subscribe(reader, null)

  const draft = await void_.as(token).patch(`/api/tasks/${paint.id}`).send({ version: 1, status: 'done' })
  await void_.owner.post(`/api/pending-changes/${draft.body.id}/approve`).send({})

  const place = { space_id: space.id }
  expect(events.slice(1).map(({ type, data }) => ({ type, data }))).toMatchObject([
    { type: 'change', data: { ...place, id: draft.body.id, status: 'pending', entity_id: paint.id } },
    { type: 'inbox', data: { count: 1 } },
    { type: 'entity', data: { ...place, kind: 'task', id: paint.id, version: 2, action: 'update' } },
    { type: 'change', data: { ...place, id: draft.body.id, status: 'approved' } },
    { type: 'inbox', data: { count: 0 } },
  ])
})
