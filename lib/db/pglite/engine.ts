// The embedded database in a thread of its own, so that a long statement holds up no stream and both work at once. Bytes
// of Postgres's wire protocol go there and come back, in buffers that are handed over and not copied.

import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { EngineAnswer, EngineOptions, EngineRequest } from './engine-thread.ts'

/** Called once. Must not throw. */
type Answered = (answer: EngineAnswer) => void

export type Engine = {
  /** Runs bytes of the wire protocol after those that were sent before. */
  send(message: Uint8Array<ArrayBuffer>, answered: Answered): void
  /** Closes the store after what was sent before, and ends the thread; nothing when that has ended. */
  close(): Promise<void>
}

// V8 can lose count of the machine code that it frees when threads with WebAssembly come and go, and then ends the process
// (https://github.com/nodejs/node/issues/64500). What it would free is little: a store is opened once.
setFlagsFromString('--no-wasm-code-gc')

// How much a function does before V8 compiles it again, for speed (default: 13000000). What is busy while a store is opened
// hardly ever is after.
setFlagsFromString('--wasm-tiering-budget=300000000')

// Checks the code of Postgres as its functions are first run: 0.06 s of the processor less than all 9 MB before the start.
setFlagsFromString('--wasm-lazy-validation')

const program = new URL('./engine-thread.ts', import.meta.url)

/**
 * A thread that owes an answer for so long is ended: after a checkpoint that failed on a full disk it can wait for ever.
 * Longer than any migration takes.
 */
const maxSilenceMs = 1_800_000

/**
 * Starts the thread and waits until the store is open; rejects with what prevented that. A thread that ends before it
 * was closed answers everything with an error from then on, and `onEnd`, which must not throw, is told. While it has
 * nothing to do it does not keep the process alive.
 */
export async function startEngine(
  options: EngineOptions,
  onEnd: (error: Error) => void = () => {},
): Promise<Engine> {
  // What was loaded into the process before Void is not for this thread; compiled modules are.
  const worker = new Worker(program, { workerData: options, env: compileCache(), execArgv: [] })
  const waiting: Answered[] = []
  let state: 'opening' | 'open' | Error = 'opening'
  const silence = setTimeout(endSilent, maxSilenceMs).unref()

  worker.on('message', (answer: EngineAnswer) => {
    silence.refresh()
    waiting.shift()?.(answer)
    if (waiting.length === 0) worker.unref()
  })
  worker.on('error', stop)
  worker.on('exit', (code) => stop(new Error(`the thread of the embedded database ended with code ${code}`)))

  await new Promise<void>((resolve, reject) => wait(settle(resolve, reject)))
  state = 'open'

  return {
    send(message, answered) {
      if (state instanceof Error) return queueMicrotask(answered.bind(null, state))
      wait(answered)
      worker.postMessage(message satisfies EngineRequest, [message.buffer])
    },

    async close() {
      if (state instanceof Error) return
      await new Promise<void>((resolve, reject) => {
        wait(settle(resolve, reject))
        worker.postMessage(null satisfies EngineRequest)
      })
      state = new Error('the embedded database is closed')
      clearTimeout(silence)
      await worker.terminate()
    },
  }

  function wait(answered: Answered): void {
    if (waiting.push(answered) > 1) return
    worker.ref()
    silence.refresh()
  }

  function endSilent(): void {
    if (waiting.length === 0) return
    stop(new Error(`the embedded database has not answered for ${maxSilenceMs / 1000} seconds`))
    void worker.terminate()
  }

  function stop(error: Error): void {
    if (state instanceof Error) return
    const wasOpen = state === 'open'
    state = error
    clearTimeout(silence)
    for (const answered of waiting.splice(0)) answered(error)
    if (wasOpen) onEnd(error)
  }
}

const settle =
  (resolve: () => void, reject: (error: Error) => void): Answered =>
  (answer) =>
    answer instanceof Error ? reject(answer) : resolve()

/** The folder of the compile cache, where there is one, as the variable that turns it on. */
function compileCache(): Record<string, string> {
  const own = getCompileCacheDir()
  return own === undefined ? {} : { NODE_COMPILE_CACHE: dirname(own) }
}
