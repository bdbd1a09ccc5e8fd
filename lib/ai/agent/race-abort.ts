/**
 * `work`, or a rejection with the signal's reason as soon as it is aborted: a part that does not listen to the signal
 * cannot hold up the stop. What such work does later is ignored, its rejection included.
 */
export function raceAbort<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
