// What goes between the embedded database's thread and the one that asks it.

/** What the thread opens. */
export type EngineOptions = {
  /** Folder of PGlite's files; left out: in memory. */
  folder?: string | undefined
  /** A `.tar` of such a folder, with which a store in memory begins. */
  dump?: string | undefined
  /** PGlite's code, compiled before: for who opens many. */
  code?: WebAssembly.Module | undefined
}

/** Bytes to run, or `null` to close the store. */
export type EngineRequest = Uint8Array<ArrayBuffer> | null

/** One for each request, in their order, after one for the store that is open. An error is what the engine threw. */
export type EngineAnswer = Uint8Array<ArrayBuffer> | Error
