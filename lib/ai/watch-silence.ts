/** A signal for one call, aborted with the caller's, or when nothing was heard for a time. */
export type SilenceWatch = {
  signal: AbortSignal
  /** Begins to listen, or begins anew, with this much patience. */
  listen(ms: number): void
  /** Something was heard: the time begins again. Cheap enough for every event of a stream. */
  heard(): void
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
    heard: () => timer?.refresh(),
    wasSilent: () => silent,
    release() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', follow)
    },
  }
}
