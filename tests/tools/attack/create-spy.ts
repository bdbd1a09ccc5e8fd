// The other end of spy.ts: what a server is started with for it to be loaded, and what it has seen since.

import { readFileSync, rmSync } from 'node:fs'
import type { VoidProcess } from '../../helpers/void-process.ts'
import type { SpyAnswer } from './spy.ts'

/** `file` is where the spy notes what the server opens. */
export function createSpy(file: string) {
  let answer: (message: SpyAnswer) => void = () => {}
  return {
    env: { SPY_FILE: file },
    options: {
      preload: new URL('./spy.ts', import.meta.url),
      onMessage: (message: unknown) => answer(message as SpyAnswer),
    },

    /** The rows that are there or gone since the last call, but for those that turns write. */
    async changes(server: VoidProcess): Promise<string[]> {
      const { promise, resolve } = Promise.withResolvers<SpyAnswer>()
      answer = resolve
      server.send('what has changed?')
      return (await promise).changes
    },

    /** The connections and processes that were begun since the last call. */
    takeOpened(): string[] {
      const opened = readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n').filter(Boolean)
      rmSync(file)
      return opened
    },
  }
}
