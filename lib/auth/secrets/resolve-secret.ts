import { readFileSync } from 'node:fs'

export type SecretDeps = {
  env: Record<string, string | undefined>
  /** Reads a whole file as text; throws as `readFileSync` does. */
  readFile: (path: string) => string
  /** Returns a secret that the owner stored in Void. Default: there are none. */
  stored?: (name: string) => string | null
  /** Returns a field of a password manager's item, `ITEM/FIELD`. Default: there is no password manager. */
  vault?: (reference: string) => string | null
}

/** Matches a setting that refers to a secret instead of containing it. */
export const secretReference = /^(env|file|secret|bw):./

/**
 * The secret that `spec` points at: `env:NAME` is read from the environment, `file:/path` from a file, `secret:NAME` is
 * one that the owner stored, `bw:ITEM/FIELD` is in a password manager, anything else is the secret itself. The line end
 * that editors and `echo` leave behind is dropped.
 *
 * `null` when there is none: an empty spec, an unset or empty variable, an absent or empty file, an unknown name. A file
 * that is there and cannot be read throws, because going on without the key would hide the mistake.
 *
 * Beside `config.ts` this is the one place that reads `process.env`: the name of the variable comes from a setting, so
 * no list of known settings can hold it.
 */
export function resolveSecret(
  spec: string | null | undefined,
  deps: SecretDeps = processDeps,
): string | null {
  if (!spec) return null
  const { scheme, rest } = parseSpec(spec)
  if (scheme === 'env') return present(deps.env[rest])
  if (scheme === 'file') return present(readIfThere(rest, deps))
  if (scheme === 'secret') return present(deps.stored?.(rest))
  if (scheme === 'bw') return present(deps.vault?.(rest))
  return present(spec)
}

/** The kind of reference; `raw` is the secret itself. */
export function parseSpec(spec: string): { scheme: 'env' | 'file' | 'secret' | 'bw' | 'raw'; rest: string } {
  for (const scheme of ['env', 'file', 'secret', 'bw'] as const) {
    if (spec.startsWith(`${scheme}:`)) return { scheme, rest: spec.slice(scheme.length + 1).trim() }
  }
  return { scheme: 'raw', rest: spec }
}

/** The files that these settings point at. */
export const filesOf = (specs: readonly string[]): string[] =>
  specs.map(parseSpec).flatMap(({ scheme, rest }) => (scheme === 'file' ? [rest] : []))

/** This process's environment variables whose names match, for a program that Void starts. */
export const pickEnv = (names: RegExp): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      names.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  )

export const processDeps: SecretDeps = {
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
