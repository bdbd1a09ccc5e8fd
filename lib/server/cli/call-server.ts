import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { readOwnerToken } from '../../auth/owner-token.ts'
import { AppError } from '../../core/errors.ts'
import type { Config } from '../config.ts'

const serverFile = z.object({ url: z.url(), pid: z.int() })

type RunningServer = { url: string; ownerToken: string }

/** As `findServer`, for a command that needs one: throws an `AppError` when there is none. */
export function requireServer(config: Config): RunningServer {
  const server = findServer(config)
  if (server) return server
  const message = 'Void is not running on this data folder: start it with `npm start`.'
  throw new AppError('server_unreachable', 503, message)
}

/** The server that has the data folder open, and the owner's token for it; `null` when there is none to ask. */
export function findServer({ dataDir, ownerToken }: Config): RunningServer | null {
  const folder = resolve(dataDir)
  const token = ownerToken ?? readOwnerToken(folder)
  if (!token) return null

  try {
    const { url } = serverFile.parse(JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8')))
    return { url, ownerToken: token }
  } catch {
    return null
  }
}

export type ServerOptions = {
  url: string
  ownerToken: string
  fetch?: typeof globalThis.fetch
  /** Waits before a call is repeated. */
  pause?: (ms: number) => Promise<void>
}

export type CallServer = <Schema extends z.ZodType>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  schema: Schema,
  body?: unknown,
) => Promise<z.output<Schema>>

const pausesMs = [200, 1000, 3000]

/**
 * Calls a Void as its owner. A call that gets no answer, or a 503, is repeated: only for calls that may be. Throws
 * `AppError` `server_refused` or `server_unreachable`.
 */
export function createCallServer(options: ServerOptions): CallServer {
  const { url, ownerToken, fetch = globalThis.fetch, pause = wait } = options

  return async (method, path, schema, body) => {
    const send = () =>
      fetch(new URL(path, url), {
        method,
        headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })

    for (const ms of pausesMs) {
      const response = await send().catch(() => null)
      if (response && response.status !== 503) return await read(response, schema)
      await pause(ms)
    }
    const last = await send().catch((cause: unknown) => {
      const message = `The running Void at ${url} does not answer. Run the command again to go on from here.`
      throw new AppError('server_unreachable', 503, message, { cause })
    })
    return await read(last, schema)
  }
}

const errorBody = z.object({ error: z.object({ message: z.string() }) })

async function read<Schema extends z.ZodType>(response: Response, schema: Schema): Promise<z.output<Schema>> {
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return schema.parse(answer)

  const said = errorBody.safeParse(answer)
  const message = said.success ? said.data.error.message : `It answered with status ${response.status}.`
  const hint = response.status === 401 ? ' Set OWNER_TOKEN to the token that the server runs with.' : ''
  throw new AppError(
    'server_refused',
    response.status,
    `The running Void refused the request. ${message}${hint}`,
  )
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
