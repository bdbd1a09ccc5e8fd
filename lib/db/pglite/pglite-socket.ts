import { Duplex } from 'node:stream'
import type { Engine } from './engine.ts'

/**
 * The embedded database in the place of pg's connection to a server: what pg writes, it runs, and the answer is what pg
 * reads. pg corks the socket while it writes the five messages of a statement, so they go there as one.
 *
 * The client that comes with PGlite makes a call of each message and parses the answers twice, in a slower way.
 */
export class PgliteSocket extends Duplex {
  readonly #engine: Engine
  #unanswered = 0
  /** Set once pg has said goodbye: what follows the last answer. */
  #end: (() => void) | null = null

  constructor(engine: Engine) {
    super({ allowHalfOpen: false })
    this.#engine = engine
  }

  /** What pg calls on a socket, besides the methods of a stream. */
  connect(): this {
    queueMicrotask(() => this.emit('connect'))
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  override _write(message: Uint8Array, _encoding: string, done: () => void): void {
    this.#send([message])
    done()
  }

  override _writev(parts: { chunk: Uint8Array }[], done: () => void): void {
    this.#send(parts.map(({ chunk }) => chunk))
    done()
  }

  override _read(): void {}

  override _final(done: () => void): void {
    this.#end = () => {
      this.push(null)
      done()
    }
    if (this.#unanswered === 0) this.#end()
  }

  #send(parts: Uint8Array[]): void {
    this.#unanswered += 1
    this.#engine.send(join(parts), (answer) => {
      this.#unanswered -= 1
      if (answer instanceof Error) this.destroy(answer)
      else if (answer.length > 0 && !this.destroyed) this.push(Buffer.from(answer.buffer))
      if (this.#unanswered === 0) this.#end?.()
    })
  }
}

/** In a buffer of their own, which can be handed over: pg's are parts of larger ones. */
function join(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
