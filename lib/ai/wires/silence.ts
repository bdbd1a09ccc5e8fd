/** A signal for one call, aborted with the caller's, or when nothing has arrived for a time. */
export type SilenceWatch = {
  signal: AbortSignal
  /** Starts the timer, or restarts it with another time. */
  start(ms: number): void
  /** Something arrived: restarts the timer. Cheap enough for every chunk of a stream. */
  refresh(): void
  hasTimedOut(): boolean
  release(): void
}

export function watchSilence(caller: AbortSignal | undefined): SilenceWatch {
  const controller = new AbortController()
  const follow = () => controller.abort(caller?.reason)
  let timer: NodeJS.Timeout | undefined
  let timedOut = false
  if (caller?.aborted) follow()
  caller?.addEventListener('abort', follow, { once: true })

  return {
    signal: controller.signal,
    start(ms) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        timedOut = true
        controller.abort()
      }, ms)
    },
    refresh: () => timer?.refresh(),
    hasTimedOut: () => timedOut,
    release() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', follow)
    },
  }
}
