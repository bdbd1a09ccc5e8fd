import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The first requests after a start come before. */
const delayMs = 500

/**
 * Gives back the memory that the start took and no longer needs, among it most of the room for young objects, which grew with
 * it: some 10 MB, for a tenth of a second. V8 does so only under pressure.
 */
export function collectAfterStart(): void {
  setTimeout(() => {
    // Only a context made after the flag was set has the function.
    setFlagsFromString('--expose-gc')
    const collect: NodeJS.GCFunction = runInNewContext('gc')
    setFlagsFromString('--no-expose-gc')
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, delayMs).unref()
}
