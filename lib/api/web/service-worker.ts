import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { sha256 } from '../../changes/payload.ts'
import { bundleOptions } from './assets.ts'

const entry = fileURLToPath(new URL('../../../public/start/service-worker.ts', import.meta.url))

/**
 * The script of the service worker, which stores these files. It names them, and their names change with what they hold,
 * so that a new version of any of them is a new service worker.
 */
export async function buildServiceWorker(shellFiles: readonly string[]): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: [...bundleOptions.target],
    logLevel: 'silent',
    define: {
      shellVersion: JSON.stringify(sha256(shellFiles.join('\n')).slice(0, 16)),
      shellFiles: JSON.stringify(shellFiles),
    },
  })
  return outputFiles[0]!.text
}
