// What a client wrote it sees in its next read, whichever server and replica answers: a write says where the log of the
// database was, and a read brings that along, in a header or a browser's cookie.

import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, Response } from 'express'

const name = 'void-position'
const cookieName = 'void_position'
/** By then every replica that is in use has it. */
const maxAgeSeconds = 3600

/** As the client sent it: any text. */
export function readPosition(req: Request): string | null {
  return req.get(name) ?? parseCookie(req.headers.cookie ?? '')[cookieName] ?? null
}

export function writePosition(req: Request, res: Response, position: string): void {
  res.setHeader(name, position)
  const cookie = stringifySetCookie({
    name: cookieName,
    value: position,
    httpOnly: true,
    sameSite: 'strict',
    secure: req.secure,
    path: '/',
    maxAge: maxAgeSeconds,
  })
  res.append('set-cookie', cookie)
}
