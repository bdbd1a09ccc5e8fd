import { describe, expect, test } from 'vitest'
import { createStore } from '../../../public/app/state.ts'

const open = () => new AbortController()

describe('a store', () => {
  test('tells a watcher of the part it watches, when that differs', () => {
    const store = createStore({ inbox: 0, path: '/' })
    const heard: number[] = []
    store.watch(
      ({ inbox }) => inbox,
      (inbox) => heard.push(inbox),
      open().signal,
    )

    store.set({ inbox: 2 })
    store.set({ path: '/inbox' })
    store.set({ inbox: 2 })
    store.set(({ inbox }) => ({ inbox: inbox + 1 }))

    expect(heard).toEqual([2, 3])
    expect(store.get()).toEqual({ inbox: 3, path: '/inbox' })
  })

  test('is silent to a watcher whose signal is aborted, even in the middle of telling', () => {
    const store = createStore({ count: 0 })
    const second = open()
    const heard: string[] = []
    store.watch(
      ({ count }) => count,
      () => second.abort(),
      open().signal,
    )
    store.watch(
      ({ count }) => count,
      () => heard.push('second'),
      second.signal,
    )
    store.watch(
      ({ count }) => count,
      () => heard.push('third'),
      AbortSignal.abort(),
    )

    store.set({ count: 1 })

    expect(heard).toEqual([])
  })

  test('lets a watcher set: the others hear of the newest state', () => {
    const store = createStore({ count: 0 })
    const heard: number[] = []
    store.watch(
      ({ count }) => count,
      (count) => count === 1 && store.set({ count: 2 }),
      open().signal,
    )
    store.watch(
      ({ count }) => count,
      (count) => heard.push(count),
      open().signal,
    )

    store.set({ count: 1 })

    expect(heard).toEqual([2])
  })
})
