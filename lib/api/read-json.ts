// The body of a request: its bounds, which stand beside the route, and how it is read.

import express, { type Request, type RequestHandler, type Response } from 'express'
import { AppError } from '../core/errors.ts'
import { exceededBound, type JsonBounds } from '../core/text/bounds.ts'
import { pass } from './guard.ts'
import type { Route } from './route.ts'

/** Maximum depth of arrays and objects in a body. */
export const maxBodyDepth = 64

/** Maximum number of keys in a body, however many values its lists may hold. */
export const maxBodyKeys = 1500

/** What is larger takes a turn of the event loop of its own for each step, so that others are answered between. */
const largeBytes = 64 * 2 ** 10

/** Bodies that are larger wait for each other, so that those in memory stay within `maxHeldBytes` or are one. */
const heldBytes = 8 * 2 ** 20
const maxHeldBytes = 128 * 2 ** 20

export const bodyBounds = ({ access, bodyLimit, bodyValues = 5000 }: Route) => ({
  limit: bodyLimit ?? (access === 'public' ? '4kb' : '256kb'),
  values: bodyValues,
  depth: maxBodyDepth,
  keys: maxBodyKeys,
})

/** How the routes of a server read their bodies. */
export function createBodyReader(): (route: Route) => RequestHandler {
  const hold = createHold()
  const ownTurn = createTurns()

  return (route) => {
    const { limit, ...bounds } = bodyBounds(route)
    const readBytes = express.raw({ limit, type: 'application/json' })
    return async (req, res, next) => {
      const reservation = (size: number) => (route.alone && size > largeBytes ? maxHeldBytes : size)
      const lowerTo = await hold(reservation(Math.min(declaredBytes(req), toBytes(limit))), res)
      await pass(readBytes, req, res)
      const bytes: unknown = req.body
      lowerTo(reservation(Buffer.isBuffer(bytes) ? bytes.length : 0))
      // What is refused is recorded without its bytes.
      req.body = undefined
      if (Buffer.isBuffer(bytes)) req.body = await parseBody(req, bytes, bounds)
      next()
    }
  }

  /** Counts a body before it is parsed: a schema takes time for each value, whatever it says of them. */
  async function parseBody(req: Request, bytes: Buffer, bounds: JsonBounds): Promise<unknown> {
    const takeTurn = bytes.length > largeBytes ? ownTurn : async () => {}
    refuseCharset(req)
    await takeTurn()
    const exceeded = exceededBound(bytes, bounds)
    if (exceeded) throw tooComplex(exceeded, bounds)
    await takeTurn()
    const value = parse(bytes)
    await takeTurn()
    return value
  }
}

/** Bytes of `256kb` or `4mb`. */
export const toBytes = (size: string): number =>
  Number.parseInt(size, 10) * (size.endsWith('mb') ? 2 ** 20 : 2 ** 10)

/** Infinite where the request does not say. */
function declaredBytes({ headers }: Request): number {
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined)
    return Number.POSITIVE_INFINITY
  return Number(headers['content-length'] ?? 0)
}

/**
 * Reserves memory for a large body, and resolves once it is free, with a function that lowers the reservation to the
 * bytes that arrived. Released when the response has closed.
 */
function createHold(): (bytes: number, res: Response) => Promise<(bytes: number) => void> {
  const waiting: { bytes: number; admit: () => void }[] = []
  let held = 0

  const admitNext = () => {
    const [first] = waiting
    if (!first || (held > 0 && held + first.bytes > maxHeldBytes)) return
    waiting.shift()
    held += first.bytes
    first.admit()
    admitNext()
  }

  return async (bytes, res) => {
    if (bytes <= heldBytes) return () => {}
    await new Promise<void>((resolve) => {
      waiting.push({ bytes, admit: resolve })
      admitNext()
    })
    let reserved = bytes
    const lowerTo = (rest: number) => {
      const freed = Math.max(0, reserved - rest)
      reserved -= freed
      held -= freed
      admitNext()
    }
    if (res.closed) lowerTo(0)
    else res.once('close', () => lowerTo(0))
    return lowerTo
  }
}

/** Resolves in a turn of the event loop in which it does so for nobody else. */
function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = []
  const run = () => {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(run)
  }
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(run)
    })
}

function refuseCharset({ headers }: Request): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8')
    throw new AppError('unsupported_media_type', 415, 'Send the body as JSON in UTF-8.')
}

/** An object or array; an empty body is an empty object. */
function parse(bytes: Buffer): unknown {
  const text = bytes.toString().replace(/^\uFEFF/, '')
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {}
  throw new AppError('invalid_json', 400, 'The body is not valid JSON.')
}

function tooComplex(exceeded: keyof JsonBounds, { values, keys, depth }: JsonBounds): AppError {
  const count = (limit = 0) => limit.toLocaleString('en')
  const message = {
    values: `The body holds more than ${count(values)} values.`,
    keys: `The body holds more than ${count(keys)} keys.`,
    depth: `The body is nested deeper than ${count(depth)} levels.`,
  }[exceeded]
  return new AppError('too_large', 413, message)
}
