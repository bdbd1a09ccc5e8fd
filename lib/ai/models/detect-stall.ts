/** A signal for one call, aborted with the caller's, or when nothing arrived for a time. */
export type SilenceWatch = {
  signal: AbortSignal
  /** Starts the timer, or restarts it with another time. */
  listen(ms: number): void
  /** Something arrived: restarts the timer. Cheap enough for every event of a stream. */
  refresh(): void
  wasSilent(): boolean
  release(): void
}

export function watchSilence(caller: AbortSignal | undefined): SilenceWatch {
  const controller = new AbortController()
  const follow = () => controller.abort(caller?.reason)
  let timer: NodeJS.Timeout | undefined
  let silent = false
  if (caller?.aborted) follow()
  caller?.addEventListener('abort', follow, { once: true })

  return {
    signal: controller.signal,
    listen(ms) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        silent = true
        controller.abort()
      }, ms)
    },
    refresh: () => timer?.refresh(),
    wasSilent: () => silent,
    release() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', follow)
    },
  }
}
