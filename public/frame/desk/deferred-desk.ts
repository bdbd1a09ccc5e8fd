import type { DeskPart } from './desk.ts'

export type DeferredDesk = {
  applyEffect: DeskPart['applyEffect']
  /** `null` before there are any tabs. */
  openTabs(without: string | null): ReturnType<DeskPart['openTabs']> | null
  /** Sets the desk, once it has started; `null` for a page that has none. */
  resolve(desk: DeskPart | null): void
}

/** The desk for parts that are drawn before its code has loaded: effects wait for it. */
export function createDeferredDesk(): DeferredDesk {
  const { promise, resolve } = Promise.withResolvers<DeskPart | null>()
  let desk: DeskPart | null = null

  return {
    openTabs: (without) => desk?.openTabs(without) ?? null,
    applyEffect: async (effect, origin) => (await (await promise)?.applyEffect(effect, origin)) ?? false,
    resolve(started) {
      desk = started
      resolve(started)
    },
  }
}
