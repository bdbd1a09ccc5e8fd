/** The first requests after a start come before. */
const delayMs = 500

/**
 * Gives back the memory that the start took and no longer needs, among it most of the room for young objects, which grew with
 * it: some 10 MB, for a tenth of a second. V8 does so only under pressure. The launcher lets it be asked for.
 */
export function collectAfterStart(): void {
  setTimeout(() => {
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, delayMs).unref()
}
