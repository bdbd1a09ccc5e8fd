import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { childEnv, childFlags } from './child-env.ts'

/**
 * Runs a script of this repository, such as `lib/server/cli/import.ts`, to its end. Its environment is `env` and `childEnv`;
 * its folder is that of the repository unless `cwd` says otherwise, and it reads `input`.
 */
export async function runScript(
  script: string,
  args: readonly string[],
  { env = {}, cwd, input = '' }: { env?: Record<string, string>; cwd?: string; input?: string } = {},
): Promise<{ code: number | null; out: string; error: string }> {
  const path = fileURLToPath(new URL(`../../${script}`, import.meta.url))
  const child = spawn(process.execPath, [...childFlags, path, ...args], { cwd, env: { ...childEnv, ...env } })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [out, error, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ])
  return { code, out, error }
}
