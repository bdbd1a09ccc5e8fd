import { readFileSync } from 'node:fs'

export type SecretDeps = {
  env: Record<string, string | undefined>
  /** Reads a whole file as text; throws as `readFileSync` does. */
  readFile: (path: string) => string
}

/**
 * The secret that `spec` points at: `env:NAME` is read from the environment, `file:/path` from a file, anything else
 * is the secret itself. The line end that editors and `echo` leave behind is dropped.
 *
 * `null` when there is none: an empty spec, an unset or empty variable, an absent or empty file. A file that is there
 * and cannot be read throws, because going on without the key would hide the mistake.
 *
 * Beside `config.ts` this is the one place that reads `process.env`: the name of the variable comes from a setting, so
 * no list of known settings can hold it.
 */
export function resolveSecret(
  spec: string | null | undefined,
  deps: SecretDeps = processDeps,
): string | null {
  if (!spec) return null
  if (spec.startsWith('env:')) return present(deps.env[spec.slice('env:'.length).trim()])
  if (spec.startsWith('file:')) return present(readIfThere(spec.slice('file:'.length).trim(), deps))
  return present(spec)
}

const processDeps: SecretDeps = {
  env: process.env,
  readFile: (path) => readFileSync(path, 'utf8'),
}

function present(value: string | null | undefined): string | null {
  const secret = value?.replace(/[\r\n]+$/, '')
  return secret?.trim() ? secret : null
}

function readIfThere(path: string, deps: SecretDeps): string | null {
  try {
    return path === '' ? null : deps.readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new Error(`The secret file ${path} cannot be read. Check that it is a file and its permissions.`, {
      cause: error,
    })
  }
}
