// What a password manager last answered. Asking it takes seconds, so an answer is used for five minutes and asked for
// again behind the back of whoever uses an older one.

import type { Logger } from '../logger.ts'
import type { ReadVaultField } from './password-manager.ts'

export type VaultCache = {
  /** Asks, once for all who wait. Rejects as the reader does. */
  load(reference: string): Promise<void>
  /** The last answer; `null` before there is one. */
  peek(reference: string): string | null
}

type Known = { value: string | null; at: number }

const maxAgeMs = 5 * 60_000
/** After a failure the program is left alone for a while. */
const retryMs = 30_000

export function createVaultCache(deps: {
  readVaultField: ReadVaultField
  logger: Logger
  now: () => Date
}): VaultCache {
  const known = new Map<string, Known>()
  const loading = new Map<string, Promise<void>>()
  const failed = new Map<string, number>()

  return { load, peek }

  function load(reference: string): Promise<void> {
    const running = loading.get(reference)
    if (running) return running
    const run = ask(reference).finally(() => loading.delete(reference))
    loading.set(reference, run)
    return run
  }

  async function ask(reference: string): Promise<void> {
    try {
      known.set(reference, { value: await deps.readVaultField(reference), at: deps.now().getTime() })
      failed.delete(reference)
    } catch (error) {
      failed.set(reference, deps.now().getTime())
      deps.logger.warn({ err: error }, 'password manager did not answer')
      throw error
    }
  }

  function peek(reference: string): string | null {
    const at = deps.now().getTime()
    const found = known.get(reference)
    const isOld = !found || at - found.at > maxAgeMs
    if (isOld && at - (failed.get(reference) ?? Number.NEGATIVE_INFINITY) > retryMs)
      load(reference).catch(() => {})
    return found?.value ?? null
  }
}
