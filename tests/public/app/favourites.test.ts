import { expect, test } from 'vitest'
import type { Favourite } from '../../../lib/contract/space/home.ts'
import { moveFavourite, toggleFavourite } from '../../../public/app/actions/change-favourites.ts'
import { reloadFavourites } from '../../../public/app/actions/favourites.ts'
import type { App, AppState } from '../../../public/app/app.ts'
import { createStore } from '../../../public/app/state.ts'

const [anchor, buoy, crane] = ['Anchor', 'Buoy', 'Crane'].map((title) => ({ id: title, title })) as [
  Favourite,
  Favourite,
  Favourite,
]

/** A client whose requests are answered when the test says so. */
function makeApp(favourites: Favourite[]) {
  const space = { id: 'harbour' } as AppState['space']
  const state = createStore({ space, favourites, favouriteSaves: 0 } as AppState)
  const requests: { method: string; answer(items: Favourite[]): void; fail(): void }[] = []
  const send = (method: string) => () => {
    const { promise, resolve, reject } = Promise.withResolvers<{ items: Favourite[] }>()
    requests.push({ method, answer: (items) => resolve({ items }), fail: () => reject(new Error('away')) })
    return promise
  }
  const api = { get: send('get'), put: send('put') }
  const app = { api, state, toast: () => {}, announce: () => {} } as unknown as App
  const shown = () => state.get().favourites.map(({ title }) => title)
  return { app, space: space!, requests, shown }
}

test('an answer that is older than a change does not take it back', async () => {
  const { app, requests, shown } = makeApp([buoy, anchor])
  const reloading = reloadFavourites(app)
  const saving = moveFavourite(app, crane, 2)

  requests[0]!.answer([buoy, anchor])
  await reloading
  const meanwhile = shown()
  requests[1]!.answer([buoy, anchor, crane])
  await saving

  expect(meanwhile).toEqual(['Buoy', 'Anchor', 'Crane'])
  expect(shown()).toEqual(['Buoy', 'Anchor', 'Crane'])
})

test('an answer that comes while a change is being saved does not take it back', async () => {
  const { app, space, requests, shown } = makeApp([buoy, crane, anchor])
  const saving = toggleFavourite(app, space, crane)
  const reloading = reloadFavourites(app)

  requests[1]!.answer([buoy, crane, anchor])
  await reloading
  const meanwhile = shown()
  requests[0]!.answer([buoy, anchor])
  await saving

  expect(meanwhile).toEqual(['Buoy', 'Anchor'])
  expect(shown()).toEqual(['Buoy', 'Anchor'])
})

test('the answer to the last of several changes is shown, and what came from elsewhere with it', async () => {
  const { app, requests, shown } = makeApp([buoy, crane])
  const saving = [moveFavourite(app, crane, 0), moveFavourite(app, crane, 1)]

  requests[0]!.answer([crane, buoy])
  await saving[0]
  const meanwhile = shown()
  requests[1]!.answer([buoy, crane, anchor])
  await saving[1]

  expect(meanwhile).toEqual(['Buoy', 'Crane'])
  expect(shown()).toEqual(['Buoy', 'Crane', 'Anchor'])
})

test('a change that fails is taken back, and what others change is shown afterwards', async () => {
  const { app, requests, shown } = makeApp([buoy, crane])
  const saving = moveFavourite(app, crane, 0)

  requests[0]!.fail()
  await saving
  const back = shown()
  const reloading = reloadFavourites(app)
  requests[1]!.answer([anchor])
  await reloading

  expect(back).toEqual(['Buoy', 'Crane'])
  expect(shown()).toEqual(['Anchor'])
})
