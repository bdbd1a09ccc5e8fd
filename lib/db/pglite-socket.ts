import { Duplex } from 'node:stream'
import type { PGlite } from '@electric-sql/pglite'

/**
 * PGlite in the place of pg's connection to a server: what pg writes, PGlite runs, and the answer is what pg reads. pg
 * corks the socket while it writes the five messages of a statement, so they are one call into the WebAssembly.
 *
 * The client that comes with PGlite makes a call of each message and parses the answers twice, in a slower way.
 */
export class PgliteSocket extends Duplex {
  readonly #pglite: PGlite
  /** When this round of the event loop first came here; null while it has not. */
  #roundBegan: number | null = null

  constructor(pglite: PGlite) {
    super({ allowHalfOpen: false })
    this.#pglite = pglite
  }

  /** What pg calls on a socket, besides the methods of a stream. */
  connect(): this {
    this.#pglite.waitReady.then(
      () => this.emit('connect'),
      (error) => this.destroy(error),
    )
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

  override _write(message: Uint8Array, _encoding: string, done: (error?: Error) => void): void {
    this.#run(message, done)
  }

  override _writev(parts: { chunk: Uint8Array }[], done: (error?: Error) => void): void {
    this.#run(Buffer.concat(parts.map(({ chunk }) => chunk)), done)
  }

  override _read(): void {}

  override _final(done: () => void): void {
    this.push(null)
    done()
  }

  // The answer comes in a later microtask: pg may write while it reads, and is then not ready to read more. When the
  // round has taken long it comes in the next one, because statements in microtasks let nobody in between.
  #run(message: Uint8Array, done: (error?: Error) => void): void {
    const parts: Buffer[] = []
    // A view of the WebAssembly's memory, which the next call overwrites.
    const onRawData = (part: Uint8Array) => parts.push(Buffer.from(part))
    const answer = () => {
      if (parts.length > 0) this.push(parts.length === 1 ? parts[0] : Buffer.concat(parts))
      done()
    }
    const began = this.#beginRound()
    this.#pglite
      .execProtocolRawStream(message, { syncToFs: false, onRawData })
      .then(() => (performance.now() - began > roundMs ? setImmediate(answer) : answer()), done)
  }

  #beginRound(): number {
    if (this.#roundBegan !== null) return this.#roundBegan
    this.#roundBegan = performance.now()
    setImmediate(() => {
      this.#roundBegan = null
    })
    return this.#roundBegan
  }
}

/** What statements may take of a round, in milliseconds: streams are to feel little of it. */
const roundMs = 6
