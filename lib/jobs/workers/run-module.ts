// A thread of the pool: imports a module of Void and calls one of its functions with plain data. No database, no
// network.

import { parentPort } from 'node:worker_threads'

/** `module` is the URL of the file that exports the function `name`; `input` and the result are plain data. */
export type ModuleCall = { module: string; name: string; input: unknown }

parentPort?.on('message', async ({ module, name, input }: ModuleCall) => {
  try {
    const functions: Record<string, (input: unknown) => unknown> = await import(module)
    parentPort?.postMessage({ value: await functions[name]!(input) })
  } catch (error) {
    parentPort?.postMessage({ failed: error instanceof Error ? error.message : String(error) })
  }
})
