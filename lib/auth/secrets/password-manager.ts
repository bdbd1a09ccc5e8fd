// Fields of items in Bitwarden or Vaultwarden, through its command line program, `bw`, which has to be unlocked
// (BW_SESSION). It is run as a list of arguments, never by a shell.

import { execFile } from 'node:child_process'
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { pickEnv } from './resolve-secret.ts'

export type ReadVaultField = (reference: string) => Promise<string | null>

export type VaultOptions = {
  command?: string
  env?: Record<string, string>
  maxMs?: number
}

const maxOutputBytes = 1_000_000

const VaultItem = z.object({
  login: z.object({ username: z.string().nullish(), password: z.string().nullish() }).nullish(),
  notes: z.string().nullish(),
  fields: z.array(z.object({ name: z.string().nullish(), value: z.string().nullish() })).nullish(),
})
type VaultItem = z.infer<typeof VaultItem>

/**
 * Reads `ITEM/FIELD`: `password`, `username`, `notes`, or a custom field by its name; `null` where the item has none.
 * Rejects with an `AppError` `vault_failed`, which holds nothing of what the program printed.
 */
export function createReadVaultField(options: VaultOptions = {}): ReadVaultField {
  const { command = 'bw', maxMs = 15_000 } = options

  return async (reference) => {
    const { item, field } = parseReference(reference)
    const env = options.env ?? pickEnv(/^(PATH|HOME|APPDATA|BW_\w+|BITWARDENCLI_\w+|NODE_EXTRA_CA_CERTS)$/)
    const output = await run(command, ['get', 'item', item, '--nointeraction'], { env, maxMs })
    return fieldOf(parseItem(output, item), field)
  }
}

function parseReference(reference: string): { item: string; field: string } {
  const slash = reference.lastIndexOf('/')
  const [item, field] = [reference.slice(0, slash).trim(), reference.slice(slash + 1).trim()]
  if (slash > 0 && item !== '' && field !== '' && !item.startsWith('-')) return { item, field }
  throw vaultFailed(`bw:${reference} has to be bw:ITEM/FIELD.`)
}

function run(
  command: string,
  args: string[],
  { env, maxMs }: { env: Record<string, string>; maxMs: number },
) {
  return new Promise<string>((resolve, reject) => {
    const limits = { timeout: maxMs, killSignal: 'SIGKILL', maxBuffer: maxOutputBytes } as const
    const child = execFile(command, args, { env, encoding: 'utf8', ...limits }, (error, stdout) => {
      if (error) reject(vaultFailed(reasonOf(error, command, maxMs)))
      else resolve(stdout)
    })
    child.stdin?.end()
  })
}

/** Not the error itself: its message repeats what the program printed. */
function reasonOf(
  error: Error & { killed?: boolean; code?: unknown },
  command: string,
  maxMs: number,
): string {
  if (error.code === 'ENOENT') return `The program ${command} was not found. Install the Bitwarden CLI.`
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `${command} printed more than 1 MB.`
  if (error.killed) return `${command} did not answer within ${maxMs / 1000} seconds.`
  return `${command} ended with ${String(error.code)}. Check that it is unlocked (BW_SESSION) and that the item exists.`
}

function parseItem(output: string, item: string): VaultItem {
  try {
    return VaultItem.parse(JSON.parse(output))
  } catch {
    throw vaultFailed(`What bw printed for ${item} is not an item.`)
  }
}

function fieldOf({ login, notes, fields }: VaultItem, field: string): string | null {
  if (field === 'password') return login?.password ?? null
  if (field === 'username') return login?.username ?? null
  if (field === 'notes') return notes ?? null
  return fields?.find(({ name }) => name === field)?.value ?? null
}

const vaultFailed = (message: string) => new AppError('vault_failed', 502, message)
